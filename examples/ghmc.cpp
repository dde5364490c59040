// Your own integrator in one struct: generalized hybrid Monte Carlo, which samples the canonical distribution for any
// step size.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include <trotter/forces/harmonic_bond.hpp>

#include "every_backend.hpp"

using namespace trotter;

/// Partial velocity refreshment (O); then a step of velocity Verlet (V R V) is accepted or rejected:
/// A. M. Horowitz, Phys. Lett. B 268, 247 (1991).
struct GhmcIntegrator {
    static constexpr std::string_view name = "GhmcIntegrator";
    static constexpr Splitting splitting{"O V R V"};
    static constexpr bool is_metropolized = true;

    double temperature = 300;  ///< [K]
    double friction = 20;      ///< [1/ps]
    double step_size = 0.02;   ///< [ps]
    double constraint_tolerance = 1e-5;
    ForceGroups force_groups{};
};

/// Springs near the stability limit of this step size: without the acceptance test their energy would be too large by a
/// quarter.
template <class Backend, class Precision> bool sample(Backend backend, Precision precision) {
    int const springs = 20;
    System<ForceList<HarmonicBondForce>> system;
    HarmonicBondForce force;
    std::vector<Vec3<>> positions;
    for (int n = 0; n < springs; ++n) {
        system.add_particle(10 * amu);
        system.add_particle(10 * amu);
        force.bonds.push_back({.particle1 = 2 * n, .particle2 = 2 * n + 1, .length = 0, .k = 10000});
        positions.insert(positions.end(), {Vec3<>{1.0 * n, 0, 0}, Vec3<>{1.0 * n, 0.01, 0}});
    }
    system.add(force);

    auto context = Context{system, GhmcIntegrator{}, backend, precision};
    context.set_positions(positions);
    context.set_velocities_to_temperature(300);
    context.step(200);
    double sum = 0;
    int const steps = 3000;
    for (int n = 0; n < steps; ++n) {
        context.step(1);
        sum += context.state(Energy).potential_energy;
    }
    double const ratio = sum / steps / (1.5 * springs * constants::gas_constant * 300);
    auto const counts = context.integrator_parameters();
    std::printf("%s, %s: energy of the springs %.3f of 3/2 kT each, %.0f of %.0f steps accepted\n", backend.name.data(),
                precision.name.data(), ratio, counts.at("accepted"), counts.at("tried"));
    return std::abs(ratio - 1) < 0.05;
}

int main() {
    bool is_right = true;
    on_every_backend([&](auto backend, auto precision) { is_right = sample(backend, precision) && is_right; });
    return is_right ? 0 : 1;
}
