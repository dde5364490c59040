// A soft-core fluid by the formula in the header, given at compile time or run time, on every backend.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include <trotter/forces/custom_nonbonded.hpp>

#include "every_backend.hpp"
#include "pair_force.hpp"

using namespace trotter;

/// The energy and its derivative with respect to lambda [kJ/mol].
struct Fading {
    double energy = 0, by_lambda = 0;
};

int const cells = 5;  // 5³ simple cubic cells, one atom each
double const spacing = 0.37 * nm;

FadingForce known_to_the_compiler() {
    FadingForce force{.pairs = {.method = PairSettings::Method::cutoff_periodic,
                                .cutoff_distance = 0.9 * nm,
                                .use_switching_function = true,
                                .switching_distance = 0.7 * nm,
                                .exclusions = {{0, 1}, {5, 6}}}};
    for (int i = 0; i < cells * cells * cells; ++i)
        force.particles.push_back({.sigma = (0.3 + 0.01 * (i % 5)) * nm, .epsilon = 1 * kJ_per_mol});
    return force;
}

/// The same force with a formula given at run time.
CustomNonbondedForce typed_at_run_time() {
    auto const known = known_to_the_compiler();
    CustomNonbondedForce force{.energy = RuntimeExpression(std::string(FadingForce::energy.formula())),
                               .parameter_names = {"sigma", "epsilon"},
                               .global_parameters = known.global_parameters,
                               .energy_parameter_derivatives = known.energy_parameter_derivatives,
                               .pairs = known.pairs};
    for (auto const& [sigma, epsilon] : known.particles) force.particles.push_back({sigma, epsilon});
    return force;
}

template <class Force, class Backend, class Precision>
Fading fade(Force const& force, Backend backend, Precision precision) {
    System<ForceList<Force>> system;  // the forces you use
    system.box = Box::rectangular(cells * spacing, cells * spacing, cells * spacing);
    std::vector<Vec3<>> positions;
    for (int i = 0; i < cells * cells * cells; ++i) {
        system.add_particle(40 * amu);
        positions.push_back(
            Vec3<>{i % cells + 0.1 * std::sin(i), i / cells % cells + 0.1 * std::cos(i), 1.0 * (i / (cells * cells))}
            * spacing);
    }
    system.add(force);

    auto context = Context{system, VerletIntegrator{.step_size = 2 * fs}, backend, precision};
    context.set_positions(positions);
    context.set_parameter("lambda", 0.6);
    context.step(20);
    auto const state = context.state(Energy | ParameterDerivatives);
    Fading const fading{state.potential_energy + state.kinetic_energy, state.parameter_derivatives->at("lambda")};
    std::printf("%s, %s, %s: %.5f kJ/mol, by lambda %.4f kJ/mol\n", Force::name.data(), backend.name.data(),
                precision.name.data(), fading.energy, fading.by_lambda);
    return fading;
}

int main() {
    std::optional<Fading> reference;
    bool agree = true;
    auto const check = [&](Fading const& fading) {
        if (!reference) reference = fading;
        // Mixed precision computes pairs in float: each to about 1e-6.
        agree = agree && std::abs(fading.energy - reference->energy) < 1e-5 * std::abs(reference->energy);
        agree = agree && std::abs(fading.by_lambda - reference->by_lambda) < 1e-5 * std::abs(reference->by_lambda);
    };
    on_every_backend([&](auto backend, auto precision) {
        check(fade(known_to_the_compiler(), backend, precision));
        check(fade(typed_at_run_time(), backend, precision));
    });
    return agree ? 0 : 1;
}
