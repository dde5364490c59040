// The kernels that every Context of OpenMM has: evaluation, state, constraints, virtual sites, minimization.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <openmm/kernels.h>

#include "engine.hpp"

namespace trotter::openmm {

/// Notes what is wanted; forces are computed when somebody reads them.
struct EvaluationKernel : OpenMM::CalcForcesAndEnergyKernel {
    using CalcForcesAndEnergyKernel::CalcForcesAndEnergyKernel;
    void initialize(OpenMM::System const&) override {}
    void beginComputation(OpenMM::ContextImpl& context, bool with_forces, bool with_energy, int groups) override;
    double finishComputation(OpenMM::ContextImpl& context, bool with_forces, bool with_energy, int groups,
                             bool& is_valid) override;
};

struct StateKernel : OpenMM::UpdateStateDataKernel {
    using UpdateStateDataKernel::UpdateStateDataKernel;
    using Impl = OpenMM::ContextImpl;
    using Vectors = std::vector<OpenMM::Vec3>;

    void initialize(OpenMM::System const&) override {}
    double getTime(Impl const& context) const override { return Engine::of(context).time(); }
    void setTime(Impl& context, double time) override { Engine::of(context).set_time(time); }
    long long getStepCount(Impl const& context) const override { return Engine::of(context).step_count(); }
    void setStepCount(Impl const& context, long long count) override { Engine::of(context).set_step_count(count); }
    void getPositions(Impl& context, Vectors& positions, bool) override {
        to_openmm(Engine::of(context).positions(), positions);
    }
    void setPositions(Impl& context, Vectors const& positions) override {
        Engine::of(context).set_positions(from_openmm(positions));
    }
    void getVelocities(Impl& context, Vectors& velocities) override {
        to_openmm(Engine::of(context).velocities(), velocities);
    }
    /// The first call is the last of OpenMM's creation of a Context.
    void setVelocities(Impl& context, Vectors const& velocities) override {
        Engine::of(context).set_velocities(from_openmm(velocities));
        Engine::of(context).complete();
    }
    void computeShiftedVelocities(Impl& context, double shift, Vectors& velocities) override;
    void getForces(Impl& context, Vectors& forces) override { to_openmm(Engine::of(context).forces(), forces); }
    void getEnergyParameterDerivatives(Impl& context, std::map<std::string, double>& derivatives) override {
        derivatives = Engine::of(context).parameter_derivatives();
    }
    void getPeriodicBoxVectors(Impl& context, OpenMM::Vec3& a, OpenMM::Vec3& b, OpenMM::Vec3& c) const override;
    void setPeriodicBoxVectors(Impl& context, OpenMM::Vec3 const& a, OpenMM::Vec3 const& b,
                               OpenMM::Vec3 const& c) override {
        Engine::of(context).set_box({from_openmm(a), from_openmm(b), from_openmm(c)});
    }
    void createCheckpoint(Impl& context, std::ostream& stream) override { Engine::of(context).save(stream); }
    void loadCheckpoint(Impl& context, std::istream& stream) override { Engine::of(context).load(stream); }
};

struct ConstraintsKernel : OpenMM::ApplyConstraintsKernel {
    using ApplyConstraintsKernel::ApplyConstraintsKernel;
    void initialize(OpenMM::System const&) override {}
    void apply(OpenMM::ContextImpl& context, double tolerance) override;
    void applyToVelocities(OpenMM::ContextImpl& context, double tolerance) override;
};

struct SitesKernel : OpenMM::VirtualSitesKernel {
    using VirtualSitesKernel::VirtualSitesKernel;
    void initialize(OpenMM::System const&) override {}
    void computePositions(OpenMM::ContextImpl& context) override;
};

struct MinimizerKernel : OpenMM::MinimizeKernel {
    using MinimizeKernel::MinimizeKernel;
    void initialize(OpenMM::System const&) override {}
    void execute(OpenMM::ContextImpl& context, double tolerance, int max_iterations,
                 OpenMM::MinimizationReporter* reporter) override;
};

}  // namespace trotter::openmm
