// A simulation on your own backend, compared with Reference.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>

#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

#include "miniature_backend.hpp"
#include "string_force.hpp"

using namespace trotter;
using string_theory::StringForce;

template <class Backend, class Precision> double simulate(Backend backend, Precision precision) {
    System<ForceList<StringForce, NonbondedForce, CMMotionRemover>> system;
    NonbondedForce spheres;
    std::vector<Vec3<>> positions;
    for (int i = 0; i < 8; ++i) {
        system.add_particle(40 * amu);
        spheres.particles.push_back({.charge = 0, .sigma = 0.3 * nm, .epsilon = 1 * kJ_per_mol});
        positions.push_back({0.35 * (i % 2), 0.35 * (i / 2 % 2), 0.35 * (i / 4)});
    }
    system.add(spheres);
    system.add(StringForce{.strings = {{0, 7, 30 * kJ_per_mol / nm, 5 * kJ_per_mol}}});
    system.add(CMMotionRemover{});

    LangevinMiddleIntegrator const integrator{.temperature = 100 * kelvin, .friction = 1 / ps, .step_size = 1 * fs};
    auto context = Context{system, integrator, backend, precision};
    context.set_positions(positions);
    context.set_velocities_to_temperature(100 * kelvin);
    context.step(50);
    auto const state = context.state(Energy);
    std::printf("%s, %s: %.9f kJ/mol\n", backend.name.data(), precision.name.data(), state.potential_energy);
    return state.potential_energy;
}

int main() {
    double const reference = simulate(Reference{}, Double{});
    bool const agree = std::abs(simulate(miniature::Naive{}, Double{}) - reference) < 1e-9
                       && std::abs(simulate(miniature::Naive{}, Mixed{}) - reference) < 1e-4;
    try {
        System<ForceList<NonbondedForce>> charges;
        charges.add_particle(1 * amu);
        charges.add(NonbondedForce{.particles = {{.charge = 1}}});
        Context{charges, VerletIntegrator{.step_size = 1 * fs}, miniature::Naive{}, Double{}};
    } catch (UnsupportedError const& error) {
        std::printf("%s\n", error.what());
        return agree ? 0 : 1;
    }
    return 1;
}
