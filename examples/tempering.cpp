// Simulated annealing by changing the temperature of a Context, and temperature replica exchange.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include <trotter/forces/custom_external.hpp>
#include <trotter/reference.hpp>
#include <trotter/replicas.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

using DoubleWell = System<ForceList<CustomExternalForce>>;

/// A particle between two wells at x = ±0.5 nm; the barrier of 15 kJ/mol is rarely crossed at 300 K.
DoubleWell double_well() {
    DoubleWell system;
    system.add_particle(20 * amu);
    system.add(CustomExternalForce{.energy = RuntimeExpression("15*((x/0.5)^2 - 1)^2 + 500*(y^2 + z^2)"), .affected = {{.particle = 0}}});
    return system;
}
LangevinMiddleIntegrator bath(double temperature) {
    return {.temperature = temperature, .friction = 5 / ps, .step_size = 10 * fs};
}

/// Cools from 3000 K; returns the final energy [kJ/mol].
double anneal() {
    Context context{double_well(), bath(3000 * kelvin), Reference{}, Double{}};
    context.set_positions({{0, 0, 0}});
    for (double temperature = 3000 * kelvin; temperature > 1 * kelvin; temperature *= 0.9) {
        context.set_temperature(temperature);
        context.step(100);
    }
    return context.state(Energy).potential_energy;
}

struct Exchanges {
    int accepted = 0, tried = 0;
    double share_on_the_right = 0;  ///< of the time at the lowest temperature
};

/// All replicas begin in the left well. Neighbors in the ladder exchange temperatures by the Metropolis criterion:
/// positions stay, velocities are scaled.
Exchanges exchange() {
    std::vector<double> const ladder{300, 450, 700, 1100};
    int const rounds = 4000;
    Replicas replicas{double_well(), bath(ladder[0]), Reference{}, Double{}, static_cast<int>(ladder.size())};
    replicas.set_state(State{.positions = {{-0.5, 0, 0}}});
    std::vector<int> replica_at{0, 1, 2, 3};  // each step of the ladder
    for (int k = 0; k < replicas.count(); ++k) replicas.set_temperature(k, ladder[static_cast<std::size_t>(k)]);

    std::mt19937_64 random{7};
    std::uniform_real_distribution<double> uniform;
    Exchanges result;
    for (int round = 0; round < rounds; ++round) {
        replicas.step(20);
        for (std::size_t low = static_cast<std::size_t>(round % 2); low + 1 < ladder.size(); low += 2) {
            std::array const pair{replica_at[low], replica_at[low + 1]};
            double const cold = 1 / (constants::gas_constant * ladder[low]), hot = 1 / (constants::gas_constant * ladder[low + 1]);
            std::array const states{replicas.state(pair[0], Energy | Velocities), replicas.state(pair[1], Energy | Velocities)};
            ++result.tried;
            if (uniform(random) >= std::exp((cold - hot) * (states[0].potential_energy - states[1].potential_energy))) continue;
            ++result.accepted;
            for (std::size_t side : {0u, 1u}) {
                double const now = ladder[low + side], next = ladder[low + 1 - side];
                auto velocities = states[side].velocities;
                for (auto& v : velocities) v = v * std::sqrt(next / now);
                replicas.set_velocities(pair[side], velocities);
                replicas.set_temperature(pair[side], next);
            }
            std::swap(replica_at[low], replica_at[low + 1]);
        }
        result.share_on_the_right += (replicas.positions(replica_at[0])[0].x > 0 ? 1.0 : 0.0) / rounds;
    }
    return result;
}

int main() {
    double const energy = anneal();
    std::printf("annealed to %.4f kJ/mol\n", energy);
    auto const [accepted, tried, share] = exchange();
    std::printf("%d of %d exchanges accepted; at 300 K %.0f %% of the time in the right well\n", accepted, tried, 100 * share);
    // The wells are equal. At 1100 K the barrier is crossed hundreds of times in some ten thousand steps.
    return energy < 0.1 && std::abs(share - 0.5) < 0.15 ? 0 : 1;
}
