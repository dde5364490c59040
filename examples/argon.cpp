// Liquid argon, built in code: a System with one force, leapfrog, and energy conservation.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <vector>

#include <trotter/context.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/precision.hpp>
#include <trotter/reference/core.hpp>
#include <trotter/reference/nonbonded.hpp>
#include <trotter/units.hpp>

using namespace trotter;

int main() {
    int const cells = 6;           // 6³ simple cubic cells, one atom each
    double const spacing = 0.37;   // nm
    System<ForceList<NonbondedForce>> system;
    system.box = Box::rectangular(cells * spacing, cells * spacing, cells * spacing);
    NonbondedForce argon{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 1.0 * nm,
                         .use_switching_function = true, .switching_distance = 0.8 * nm};
    std::vector<Vec3<>> positions;
    for (int i = 0; i < cells * cells * cells; ++i) {
        system.add_particle(39.948 * amu);
        argon.particles.push_back({.charge = 0, .sigma = 0.3405 * nm, .epsilon = 0.996 * kJ_per_mol});
        positions.push_back(Vec3<>{double(i % cells), double(i / cells % cells), double(i / (cells * cells))} * spacing);
    }
    system.add(argon);

    auto context = Context{system, VerletIntegrator{.step_size = 2 * fs}, Reference{}, Double{}};
    context.set_positions(positions);
    context.set_velocities_to_temperature(120 * kelvin);

    double first = 0, last = 0;
    for (int round = 0; round <= 5; ++round) {
        auto const state = context.state(Energy);
        last = state.potential_energy + state.kinetic_energy;
        if (round == 0) first = last;
        std::printf("%6.2f ps  potential %10.3f  kinetic %9.3f  total %10.3f kJ/mol\n", context.time(), state.potential_energy,
                    state.kinetic_energy, last);
        context.step(50);
    }
    // Leapfrog conserves the energy to second order in the step: far better than a thousandth of the kinetic energy
    // here.
    return std::abs(last - first) < 0.5 ? 0 : 1;
}
