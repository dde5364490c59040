// A polymer by the force in the header, on every backend.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <optional>

#include "every_backend.hpp"
#include "polymer.hpp"

using namespace trotter;

int const side = 5;  // beads along an edge of the cube in which the chain is folded

/// Bead n of a chain folded into a cube; consecutive beads are neighbors.
Vec3<> place(int n) {
    int const z = n / (side * side), row = n / side % side, column = n % side;
    int const y = z % 2 == 0 ? row : side - 1 - row;
    int const x = n / side % 2 == 0 ? column : side - 1 - column;
    return Vec3<>{x + 0.05 * std::sin(3 * n), y + 0.05 * std::cos(5 * n), z + 0.05 * std::sin(7 * n)} * (0.97 * nm);
}

struct Result {
    double energy, by_repulsion;  // [kJ/mol]
};

template <class Backend, class Precision> Result simulate(Backend backend, Precision precision) {
    System<ForceList<BeadSpringForce>> system;
    system.box = Box::rectangular(8 * nm, 8 * nm, 8 * nm);
    BeadSpringForce force;
    std::vector<Vec3<>> positions;
    for (int n = 0; n < side * side * side; ++n) {
        system.add_particle(10 * amu);
        positions.push_back(place(n));
        force.beads.push_back({});
        if (n > 0) force.bonds.push_back({n - 1, n});
    }
    system.add(force);

    auto context = Context{system, VerletIntegrator{.step_size = 2 * fs}, backend, precision};
    context.set_positions(positions);
    context.set_parameter("repulsion", 0.8);
    context.step(100);
    auto const state = context.state(Energy | ParameterDerivatives);
    Result const result{state.potential_energy + state.kinetic_energy, state.parameter_derivatives->at("repulsion")};
    std::printf("%s, %s: %.4f kJ/mol, by the repulsion %.4f kJ/mol, %zu molecule\n", backend.name.data(),
                precision.name.data(), result.energy, result.by_repulsion, context.molecules().size());
    return result;
}

int main() {
    std::optional<Result> reference;
    bool agree = true;
    on_every_backend([&](auto backend, auto precision) {
        Result const result = simulate(backend, precision);
        if (!reference) reference = result;
        // Mixed precision computes pairs in float: each to about 1e-6.
        agree = agree && std::abs(result.energy - reference->energy) < 1e-5 * std::abs(reference->energy);
        agree = agree
                && std::abs(result.by_repulsion - reference->by_repulsion) < 1e-4 * std::abs(reference->by_repulsion);
    });
    return agree ? 0 : 1;
}
