// Step of the dynamics with relaxed Drude particles, on the host.
// SPDX-License-Identifier: MIT
#include <trotter/drude/scf_stepper.hpp>

#include <cstddef>
#include <vector>

#include <trotter/common/integration/common.hpp>

namespace trotter::drude {
namespace {

std::vector<Pair> pairs_of(std::vector<Springs::Spring> const& springs) {
    std::vector<Pair> pairs;
    for (auto const& spring : springs) pairs.push_back({spring.drude, spring.parent});
    return pairs;
}

}  // namespace

ScfStepper::ScfStepper(DrudeSCFIntegrator const& integrator, HostState const& host, double epsilon)
    : LiveIntegrator(integrator),
      motions_(pairs_of(integrator.springs), host, integrator.name),
      relaxation_(integrator.springs, epsilon) {
    require_positive(integrator.name, "minimization tolerance", integrator.minimization_tolerance);
    require_not_negative(integrator.name, "Drude temperature", integrator.drude_temperature);
}

void ScfStepper::step(HostState& host, ForceEvaluator const& evaluate) {
    double const dt = integrator_.step_size;
    require_positive(integrator_.name, "step size", dt);
    evaluate({host.integration_groups, false});
    host.threads.for_each(host.size(),
                          [&](std::size_t i) { host.velocities[i] += host.forces[i] * (dt * host.inverse_masses[i]); });
    drift_(host, dt, integrator_.constraint_tolerance);
    relaxation_.run(host, evaluate, integrator_.minimization_tolerance);
    host.time += dt;
}

double ScfStepper::kinetic_energy(HostState& host, ForceEvaluator const& evaluate) {
    return shifted_kinetic_energy(host, evaluate, 0.5 * integrator_.step_size, integrator_.constraint_tolerance);
}

}  // namespace trotter::drude
