// A fluid that fades, by the formula of the header alone, on every backend.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <optional>

#include "every_backend.hpp"
#include "pair_force.hpp"

using namespace trotter;

/// The energy and how it changes with lambda [kJ/mol].
struct Fading {
    double energy = 0, by_lambda = 0;
};

template <class Backend, class Precision> Fading fade(Backend backend, Precision precision) {
    int const cells = 5;  // 5³ simple cubic cells, one atom each
    double const spacing = 0.37 * nm;
    System<ForceList<FadingForce>> system;  // the forces you use
    system.box = Box::rectangular(cells * spacing, cells * spacing, cells * spacing);
    FadingForce force{.pairs = {.method = PairSettings::Method::cutoff_periodic,
                                .cutoff_distance = 0.9 * nm,
                                .use_switching_function = true,
                                .switching_distance = 0.7 * nm}};
    std::vector<Vec3<>> positions;
    for (int i = 0; i < cells * cells * cells; ++i) {
        system.add_particle(40 * amu);
        force.particles.push_back({.sigma = (0.3 + 0.01 * (i % 5)) * nm, .epsilon = 1 * kJ_per_mol});
        positions.push_back(
            Vec3<>{i % cells + 0.1 * std::sin(i), i / cells % cells + 0.1 * std::cos(i), 1.0 * (i / (cells * cells))}
            * spacing);
    }
    force.pairs.exclusions = {{0, 1}, {5, 6}};
    system.add(force);

    auto context = Context{system, VerletIntegrator{.step_size = 2 * fs}, backend, precision};
    context.set_positions(positions);
    context.set_parameter("lambda", 0.6);
    context.step(20);
    auto const state = context.state(Energy | ParameterDerivatives);
    Fading const fading{state.potential_energy + state.kinetic_energy, state.parameter_derivatives->at("lambda")};
    std::printf("%s, %s: %.5f kJ/mol, by lambda %.4f kJ/mol\n", backend.name.data(), precision.name.data(),
                fading.energy, fading.by_lambda);
    return fading;
}

int main() {
    std::optional<Fading> reference;
    bool agree = true;
    on_every_backend([&](auto backend, auto precision) {
        auto const fading = fade(backend, precision);
        if (!reference) reference = fading;
        // Mixed precision has pairs in float: each to about 1e-6.
        agree = agree && std::abs(fading.energy - reference->energy) < 1e-5 * std::abs(reference->energy);
        agree = agree && std::abs(fading.by_lambda - reference->by_lambda) < 1e-5 * std::abs(reference->by_lambda);
    });
    return agree ? 0 : 1;
}
