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
template <class K> struct BaseKernel : EngineKernel<K> {
    using EngineKernel<K>::EngineKernel;
    void initialize(OpenMM::System const&) override {}
};

/// Records the requested groups; forces are computed lazily.
struct EvaluationKernel : BaseKernel<OpenMM::CalcForcesAndEnergyKernel> {
    using BaseKernel::BaseKernel;
    void beginComputation(OpenMM::ContextImpl&, bool, bool with_energy, int groups) override {
        engine_.wants_energy = with_energy;
        engine_.left_out = 0;
        engine_.ask(static_cast<std::uint32_t>(groups));
    }
    double finishComputation(OpenMM::ContextImpl&, bool, bool with_energy, int groups, bool&) override {
        engine_.wants_energy = true;
        return with_energy ? engine_.energy(static_cast<std::uint32_t>(groups)) - engine_.left_out : 0;
    }
};

struct StateKernel : BaseKernel<OpenMM::UpdateStateDataKernel> {
    using BaseKernel::BaseKernel;
    using Impl = OpenMM::ContextImpl;
    using Vectors = std::vector<OpenMM::Vec3>;

    double getTime(Impl const&) const override { return engine_.time(); }
    void setTime(Impl&, double time) override { engine_.set_time(time); }
    long long getStepCount(Impl const&) const override { return engine_.step_count(); }
    void setStepCount(Impl const&, long long count) override { engine_.set_step_count(count); }
    void getPositions(Impl&, Vectors& positions, bool) override { to_openmm(engine_.positions(), positions); }
    void setPositions(Impl&, Vectors const& positions) override { engine_.set_positions(from_openmm(positions)); }
    void getVelocities(Impl&, Vectors& velocities) override { to_openmm(engine_.velocities(), velocities); }
    void setVelocities(Impl&, Vectors const& velocities) override { engine_.set_velocities(from_openmm(velocities)); }
    void computeShiftedVelocities(Impl&, double shift, Vectors& velocities) override {
        constexpr double tolerance = 1e-4;  // OpenMM's
        auto const shifted = [&](AnyContext& any) { return any.shifted_velocities(shift, tolerance); };
        to_openmm(engine_.run(shifted), velocities);
    }
    void getForces(Impl&, Vectors& forces) override { to_openmm(engine_.forces(), forces); }
    void getEnergyParameterDerivatives(Impl&, std::map<std::string, double>& derivatives) override {
        derivatives = engine_.parameter_derivatives();
    }
    void getPeriodicBoxVectors(Impl&, OpenMM::Vec3& a, OpenMM::Vec3& b, OpenMM::Vec3& c) const override {
        auto const box = engine_.box();
        a = to_openmm(box.a), b = to_openmm(box.b), c = to_openmm(box.c);
    }
    void setPeriodicBoxVectors(Impl&, OpenMM::Vec3 const& a, OpenMM::Vec3 const& b, OpenMM::Vec3 const& c) override {
        engine_.set_box({from_openmm(a), from_openmm(b), from_openmm(c)});
    }
    void createCheckpoint(Impl&, std::ostream& stream) override { engine_.save(stream); }
    void loadCheckpoint(Impl&, std::istream& stream) override { engine_.load(stream); }
};

struct ConstraintsKernel : BaseKernel<OpenMM::ApplyConstraintsKernel> {
    using BaseKernel::BaseKernel;
    void apply(OpenMM::ContextImpl&, double tolerance) override {
        engine_.run([&](AnyContext& any) { any.apply_constraints(tolerance); });
    }
    void applyToVelocities(OpenMM::ContextImpl&, double tolerance) override {
        engine_.any().apply_velocity_constraints(tolerance);
    }
};

struct SitesKernel : BaseKernel<OpenMM::VirtualSitesKernel> {
    using BaseKernel::BaseKernel;
    void computePositions(OpenMM::ContextImpl&) override {
        engine_.run([](AnyContext& any) { any.compute_virtual_sites(); });
    }
};

struct MinimizerKernel : BaseKernel<OpenMM::MinimizeKernel> {
    using BaseKernel::BaseKernel;
    void execute(OpenMM::ContextImpl&, double tolerance, int max_iterations,
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
        engine_.run([&](AnyContext& any) { any.minimize(settings); });
    }

private:
    /// Numbers of vectors, for reporters.
    static std::vector<double> flat(std::span<Vec3<> const> vectors) {
        double const* const begin = &vectors.data()->x;
        return {begin, begin + 3 * vectors.size()};
    }
};

}  // namespace trotter::openmm
