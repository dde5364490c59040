// A formula given on the command line: springs of any kind, on every backend.
// SPDX-License-Identifier: MIT
//
// example_typed_formula 'k/2*(r - length)^2 + 0.1*k*(r - length)^3'
#include <cmath>
#include <cstdio>
#include <optional>

#include <trotter/forces/custom_bond.hpp>

#include "every_backend.hpp"

using namespace trotter;

template <class Backend, class Precision>
double swing(RuntimeExpression const& formula, Backend backend, Precision precision) {
    System<ForceList<CustomBondForce>> system;
    CustomBondForce springs{
        .energy = formula, .parameter_names = {"length", "k"}, .global_parameters = {{"depth", 400}}};
    std::vector<Vec3<>> positions;
    for (int i = 0; i < 20; ++i) {
        system.add_particle(12 * amu);
        positions.push_back({0.16 * i, 0.03 * std::sin(i), 0.03 * std::cos(i)});
        if (i > 0) springs.bonds.push_back({i - 1, i, {0.15 * nm, 1000 + 100.0 * i}});
    }
    system.add(springs);

    auto context = Context{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
    context.set_positions(positions);
    context.step(100);
    auto const state = context.state(Energy);
    double const energy = state.potential_energy + state.kinetic_energy;
    std::printf("%s, %s: %.6f kJ/mol after 0.1 ps\n", backend.name.data(), precision.name.data(), energy);
    return energy;
}

int main(int count, char** arguments) {
    try {
        RuntimeExpression const formula(count > 1 ? arguments[1] : "depth*(1 - exp(-sqrt(k/2/depth)*(r - length)))^2");
        std::optional<double> reference;
        bool agree = true;
        on_every_backend([&](auto backend, auto precision) {
            double const energy = swing(formula, backend, precision);
            if (!reference) reference = energy;
            agree =
                agree && std::abs(energy - *reference) < 1e-6 * std::abs(*reference);  // terms are double everywhere
        });
        return agree ? 0 : 1;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
