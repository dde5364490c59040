// Strings with hand-written kernels, on every backend, against values computed by hand.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>

#include "every_backend.hpp"
#include "string_force_kernel.hpp"

using namespace trotter;
using string_theory::StringForce;

/// Mixed precision computes these terms in double; devices sum forces in units of 2^-32 kJ/mol/nm.
bool near(double value, double expected) { return std::abs(value - expected) < 1e-9 * std::abs(expected); }

template <class Backend, class Precision> bool is_right(Backend backend, Precision precision) {
    System<ForceList<StringForce>> system;
    for (int i = 0; i < 2; ++i) system.add_particle(1 * amu);
    system.box = Box::rectangular(2, 2, 2);
    StringForce force{.strings = {{0, 1, 10 * kJ_per_mol / nm, 4 * kJ_per_mol}}, .periodic = true};
    system.add(force);

    auto context = Context{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
    context.set_positions({{0.1, 0, 0}, {1.8, 0, 0}});  // 0.3 nm apart through the wall: E = sqrt(3² + 4²)
    auto const state = context.state(Energy | Forces);
    bool right = near(state.potential_energy, 5) && near(state.forces[0].x, -6) && near(state.forces[1].x, 6);

    force.strings[0] = {0, 1, 40, 5};
    context.update(0, force);
    double const start = context.state(Energy).potential_energy;
    context.step(10);
    auto const moved = context.state(Energy);
    double const end = moved.potential_energy + moved.kinetic_energy;
    // Leapfrog conserves the energy to second order in the step.
    right = right && near(start, 13) && moved.kinetic_energy > 0.1 && std::abs(end - start) < 1e-3;
    std::printf("%s, %s: %.6f kJ/mol, then %.6f, after 10 steps %.6f\n", backend.name.data(), precision.name.data(),
                state.potential_energy, start, end);
    return right;
}

int main() {
    bool all = true;
    on_every_backend([&](auto backend, auto precision) { all = is_right(backend, precision) && all; });
    return all ? 0 : 1;
}
