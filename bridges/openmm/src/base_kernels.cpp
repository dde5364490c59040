// The kernels that every Context of OpenMM has: evaluation, state, constraints, virtual sites, minimization.
// SPDX-License-Identifier: MIT
#include "base_kernels.hpp"

#include <cmath>
#include <span>

#include <openmm/Integrator.h>
#include <openmm/OpenMMException.h>

namespace trotter::openmm {

void EvaluationKernel::beginComputation(OpenMM::ContextImpl& context, bool, bool with_energy, int groups) {
    auto& engine = Engine::of(context);
    engine.is_evaluating = true;
    engine.wants_energy = with_energy;
    engine.left_out = 0;
    engine.ask(static_cast<std::uint32_t>(groups));
}

double EvaluationKernel::finishComputation(OpenMM::ContextImpl& context, bool, bool with_energy, int groups, bool&) {
    auto& engine = Engine::of(context);
    engine.is_evaluating = false;
    if (!with_energy) return 0;
    if (auto const& answers = engine.answers()) {
        double sum = 0;
        for (std::size_t group = 0; group < answers->size(); ++group)
            if (static_cast<std::uint32_t>(groups) >> (group % 32) & 1u) sum += (*answers)[group];
        return sum;
    }
    return engine.energy(static_cast<std::uint32_t>(groups)) - engine.left_out;
}

void StateKernel::computeShiftedVelocities(Impl& context, double shift, Vectors& velocities) {
    auto& engine = Engine::of(context);
    (void)engine.velocities();  // of steps that have ended well
    constexpr double tolerance = 1e-4;  // OpenMM's
    to_openmm(engine.any().shifted_velocities(shift, tolerance), velocities);
    engine.forget();
}

void StateKernel::getPeriodicBoxVectors(Impl& context, OpenMM::Vec3& a, OpenMM::Vec3& b, OpenMM::Vec3& c) const {
    auto const box = Engine::of(context).box();
    a = to_openmm(box.a), b = to_openmm(box.b), c = to_openmm(box.c);
}

void ConstraintsKernel::apply(OpenMM::ContextImpl& context, double tolerance) {
    auto& engine = Engine::of(context);
    engine.any().apply_constraints(tolerance);
    engine.forget();
}
void ConstraintsKernel::applyToVelocities(OpenMM::ContextImpl& context, double tolerance) {
    Engine::of(context).any().apply_velocity_constraints(tolerance);
}

void SitesKernel::computePositions(OpenMM::ContextImpl& context) {
    auto& engine = Engine::of(context);
    engine.any().compute_virtual_sites();
    engine.forget();
}

namespace {

/// OpenMM's reporters are given numbers one after the other.
std::vector<double> flat(std::span<Vec3<> const> vectors) {
    std::vector<double> result;
    result.reserve(3 * vectors.size());
    for (auto const& v : vectors) result.insert(result.end(), {v.x, v.y, v.z});
    return result;
}

bool report(OpenMM::MinimizationReporter& reporter, MinimizationProgress const& progress) {
    std::map<std::string, double> numbers{{"system energy", progress.energy},
                                          {"restraint energy", progress.spring_energy},
                                          {"restraint strength", progress.spring_constant},
                                          {"max constraint error", progress.constraint_error}};
    return reporter.report(progress.iteration - 1, flat(progress.positions), flat(progress.gradient), numbers);
}

}  // namespace

void MinimizerKernel::execute(OpenMM::ContextImpl& context, double tolerance, int max_iterations,
                              OpenMM::MinimizationReporter* reporter) {
    auto& engine = Engine::of(context);
    engine.forget();
    MinimizationSettings settings{.tolerance = tolerance, .max_iterations = max_iterations};
    if (reporter != nullptr)
        settings.report = [reporter](MinimizationProgress const& progress) { return report(*reporter, progress); };
    engine.any().minimize(settings);
}

}  // namespace trotter::openmm
