// Kernels of every OpenMM Context: evaluation, state, constraints, virtual sites, minimization.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <openmm/kernels.h>

#include "engine.hpp"

namespace trotter::openmm {

/// Kernel with an empty `initialize`.
template <class K> struct BaseKernel : K {
    using K::K;
    void initialize(OpenMM::System const&) override {}
};

/// Records the requested groups; forces are computed lazily.
struct EvaluationKernel : BaseKernel<OpenMM::CalcForcesAndEnergyKernel> {
    using BaseKernel::BaseKernel;
    void beginComputation(OpenMM::ContextImpl& context, bool, bool with_energy, int groups) override {
        auto& engine = Engine::of(context);
        engine.wants_energy = with_energy;
        engine.left_out = 0;
        engine.ask(static_cast<std::uint32_t>(groups));
    }
    double finishComputation(OpenMM::ContextImpl& context, bool, bool with_energy, int groups, bool&) override {
        auto& engine = Engine::of(context);
        engine.wants_energy = true;
        return with_energy ? engine.energy(static_cast<std::uint32_t>(groups)) - engine.left_out : 0;
    }
};

struct StateKernel : BaseKernel<OpenMM::UpdateStateDataKernel> {
    using BaseKernel::BaseKernel;
    using Impl = OpenMM::ContextImpl;
    using Vectors = std::vector<OpenMM::Vec3>;

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
    void setVelocities(Impl& context, Vectors const& velocities) override {
        Engine::of(context).set_velocities(from_openmm(velocities));
    }
    void computeShiftedVelocities(Impl& context, double shift, Vectors& velocities) override {
        constexpr double tolerance = 1e-4;  // OpenMM's
        auto const shifted = [&](AnyContext& any) { return any.shifted_velocities(shift, tolerance); };
        to_openmm(Engine::of(context).run(shifted), velocities);
    }
    void getForces(Impl& context, Vectors& forces) override { to_openmm(Engine::of(context).forces(), forces); }
    void getEnergyParameterDerivatives(Impl& context, std::map<std::string, double>& derivatives) override {
        derivatives = Engine::of(context).parameter_derivatives();
    }
    void getPeriodicBoxVectors(Impl& context, OpenMM::Vec3& a, OpenMM::Vec3& b, OpenMM::Vec3& c) const override {
        auto const box = Engine::of(context).box();
        a = to_openmm(box.a), b = to_openmm(box.b), c = to_openmm(box.c);
    }
    void setPeriodicBoxVectors(Impl& context, OpenMM::Vec3 const& a, OpenMM::Vec3 const& b,
                               OpenMM::Vec3 const& c) override {
        Engine::of(context).set_box({from_openmm(a), from_openmm(b), from_openmm(c)});
    }
    void createCheckpoint(Impl& context, std::ostream& stream) override { Engine::of(context).save(stream); }
    void loadCheckpoint(Impl& context, std::istream& stream) override { Engine::of(context).load(stream); }
};

struct ConstraintsKernel : BaseKernel<OpenMM::ApplyConstraintsKernel> {
    using BaseKernel::BaseKernel;
    void apply(OpenMM::ContextImpl& context, double tolerance) override {
        Engine::of(context).run([&](AnyContext& any) { any.apply_constraints(tolerance); });
    }
    void applyToVelocities(OpenMM::ContextImpl& context, double tolerance) override {
        Engine::of(context).any().apply_velocity_constraints(tolerance);
    }
};

struct SitesKernel : BaseKernel<OpenMM::VirtualSitesKernel> {
    using BaseKernel::BaseKernel;
    void computePositions(OpenMM::ContextImpl& context) override {
        Engine::of(context).run([](AnyContext& any) { any.compute_virtual_sites(); });
    }
};

struct MinimizerKernel : BaseKernel<OpenMM::MinimizeKernel> {
    using BaseKernel::BaseKernel;
    void execute(OpenMM::ContextImpl& context, double tolerance, int max_iterations,
                 OpenMM::MinimizationReporter* reporter) override {
        MinimizationSettings settings{.tolerance = tolerance, .max_iterations = max_iterations};
        if (reporter != nullptr)
            settings.report = [reporter](MinimizationProgress const& now) {
                std::map<std::string, double> numbers{{"system energy", now.energy},
                                                      {"restraint energy", now.spring_energy},
                                                      {"restraint strength", now.spring_constant},
                                                      {"max constraint error", now.constraint_error}};
                return reporter->report(now.iteration - 1, flat(now.positions), flat(now.gradient), numbers);
            };
        Engine::of(context).run([&](AnyContext& any) { any.minimize(settings); });
    }

private:
    /// Flattens vectors for reporters.
    static std::vector<double> flat(std::span<Vec3<> const> vectors) {
        std::vector<double> result;
        result.reserve(3 * vectors.size());
        for (auto const& v : vectors) result.insert(result.end(), {v.x, v.y, v.z});
        return result;
    }
};

}  // namespace trotter::openmm
