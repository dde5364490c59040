// Replica exchange over eight temperatures: independent simulations, spread over several backends.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include <trotter/forces/custom_external.hpp>
#include <trotter/reference.hpp>
#include <trotter/replicas/spread.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

/// A particle in a double well with a barrier of 15 kJ/mol.
System<ForceList<CustomExternalForce>> double_well() {
    System<ForceList<CustomExternalForce>> system;
    system.add_particle(20 * amu);
    system.add(CustomExternalForce{.energy = RuntimeExpression("15*((x/0.5)^2 - 1)^2 + 500*(y^2 + z^2)"),
                                   .affected = {{.particle = 0}}});
    return system;
}

int main() {
    std::vector<double> const ladder{300, 360, 430, 520, 620, 750, 900, 1100};
    std::vector<Simulation<System<ForceList<CustomExternalForce>>, LangevinMiddleIntegrator>> simulations;
    for (std::size_t k = 0; k < ladder.size(); ++k)
        simulations.push_back({.system = double_well(),
                               .integrator = {.temperature = ladder[k], .friction = 5 / ps, .step_size = 10 * fs},
                               .seed = k + 1});
    // Two host threads here; with several GPUs, std::vector{Cuda{.device = 0}, Cuda{.device = 1}}.
    Spread spread(simulations, std::vector{Reference{}, Reference{}}, Double{});
    spread.for_each([](auto& context, int) { context.set_positions({{-0.5, 0, 0}}); });

    std::mt19937_64 random{11};
    std::uniform_real_distribution<double> uniform;
    int const rounds = 4000;
    int accepted = 0, tried = 0;
    double right = 0;
    for (int round = 0; round < rounds; ++round) {
        spread.step(20);
        for (int low = round % 2; low + 1 < spread.count(); low += 2) {
            auto &cold = spread[low], &hot = spread[low + 1];
            double const t = ladder[static_cast<std::size_t>(low)], u = ladder[static_cast<std::size_t>(low) + 1];
            double const difference = cold.evaluate({}) - hot.evaluate({});
            ++tried;
            if (uniform(random) >= std::exp((1 / t - 1 / u) / constants::gas_constant * difference)) continue;
            ++accepted;
            // Temperatures stay; positions are exchanged, and velocities scaled to the new temperature.
            auto positions = cold.positions();
            auto to_hot = cold.velocities(), to_cold = hot.velocities();
            for (auto& v : to_hot) v *= std::sqrt(u / t);
            for (auto& v : to_cold) v *= std::sqrt(t / u);
            cold.set_positions(hot.positions()), cold.set_velocities(to_cold);
            hot.set_positions(positions), hot.set_velocities(to_hot);
        }
        right += (spread[0].positions()[0].x > 0 ? 1.0 : 0.0) / rounds;
    }
    std::printf("%d of %d exchanges accepted; at 300 K %.0f %% of the time in the right well\n", accepted, tried, 100 * right);
    // Both wells are equally deep.
    return accepted > tried / 4 && std::abs(right - 0.5) < 0.2 ? 0 : 1;
}
