// Drude oscillators for tests of integrators.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/trotter.hpp>

#include <trotter/drude/kernels.hpp>

#include "common/harness.hpp"

namespace trotter {

inline double no_forces(HostState&) { return 0; }

/// In harmonic wells: `pairs` Drude particles of mass 0.4 and parents of mass 12, and half as many particles alone.
template <class I> TestSimulation<I> wells(I integrator, int pairs, int threads = 1) {
    Particles particles;
    for (int n = 0; n < pairs; ++n) {
        particles.masses.insert(particles.masses.end(), {12, 0.4});
        integrator.pairs.push_back({2 * n + 1, 2 * n});
    }
    particles.masses.insert(particles.masses.end(), static_cast<std::size_t>(pairs) / 2, 3);
    auto const springs = [list = integrator.pairs](HostState& host) {
        double energy = harmonic_well(500)(host);
        for (auto const& [drude, parent] : list) {
            auto const i = static_cast<std::size_t>(drude), j = static_cast<std::size_t>(parent);
            Vec3<> const d = host.positions[i] - host.positions[j];
            host.forces[i] -= d * 2e4;
            host.forces[j] += d * 2e4;
            energy += 1e4 * dot(d, d);
        }
        return energy;
    };
    return TestSimulation<I>(particles, integrator, springs, threads);
}

/// The message that refuses this integrator of a pair after a change; empty if it is accepted.
template <class I, class Change> std::string refusal_of(I integrator, Change const& change) {
    integrator.pairs = {{1, 0}};
    change(integrator);
    try {
        TestSimulation<I>({.masses = {10, 1}}, integrator, no_forces);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

/// Temperatures of the stored velocities, averaged over `steps` steps after `before`.
template <class Simulation> drude::ByMotion mean_temperatures(Simulation& simulation, int before, int steps) {
    simulation.step(before);
    drude::ByMotion sum;
    for (int n = 0; n < steps; ++n) {
        simulation.step();
        auto const [system, drude] = simulation.kernel.temperatures(simulation.host());
        sum.system += system / steps;
        sum.drude += drude / steps;
    }
    return sum;
}

/// Two oscillators whose parents have a constraint, a bond, and a screened interaction.
using ChainForces = ForceList<HarmonicBondForce, DrudeForce>;
inline System<ChainForces> chain() {
    System<ChainForces> system;
    for (double const mass : {12.0, 0.4, 12.0, 0.4}) system.add_particle(mass);
    system.add_constraint(0, 2, 0.1);
    system.add(HarmonicBondForce{.bonds = {{1, 3, 0.11, 2e4}}});
    system.add(DrudeForce{.particles = {{1, 0, 2, -1, -1, -1.5, 1e-3, 0.9, 1}, {3, 2, -1, -1, -1, 1.2, 8e-4, 1, 1}},
                          .screened_pairs = {{0, 1, 1.3}}});
    return system;
}
inline std::vector<Vec3<>> const chain_positions{{0, 0, 0}, {0.002, 0.001, 0}, {0.1, 0, 0}, {0.101, 0, 0.002}};

}  // namespace trotter
