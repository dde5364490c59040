// Tests simulations distributed over devices: each equals a single Context, and failures are reported.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "device/tested_device.hpp"

#include <vector>

#include <trotter/device.hpp>
#include <trotter/replicas/spread.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

using Pair = System<ForceList<HarmonicBondForce, NonbondedForce>>;

Pair springs(double k) {
    Pair system;
    NonbondedForce force;
    HarmonicBondForce bonds;
    for (int i = 0; i < 6; ++i) {
        system.add_particle(10 + i);
        force.particles.push_back({0.1 * (i % 2 == 0 ? 1 : -1), 0.2, 0.3});
        if (i > 0) bonds.bonds.push_back({i - 1, i, 0.2, k}), force.exceptions.push_back({i - 1, i});
    }
    system.add(bonds);
    system.add(force);
    return system;
}
LangevinMiddleIntegrator at(double temperature) {
    return {.temperature = temperature, .friction = 1, .step_size = 1 * fs};
}

/// The first and the second device, if there is one.
std::vector<TestedDevice> two_devices() {
    TestedDevice second;
    second.device = tested_devices() > 1 ? 1 : 0;
    return {TestedDevice{}, second};
}

std::vector<Vec3<>> const line{{0, 0, 0}, {0.21, 0, 0}, {0.4, 0.02, 0}, {0.6, 0, 0.03}, {0.8, 0, 0}, {1, 0.05, 0}};

}  // namespace

TEST_CASE("simulations on several devices do what they do alone", "[device][replicas]") {
    std::vector<Simulation<Pair, LangevinMiddleIntegrator>> simulations;
    for (int k = 0; k < 5; ++k)
        simulations.push_back({springs(1000 + 100 * k), at(100 + 50 * k), static_cast<std::uint64_t>(k + 1)});
    Spread spread(simulations, two_devices(), Mixed{});
    CHECK(spread.count() == 5);
    spread.for_each([](auto& context, int) { context.set_positions(line); });
    spread.step(20);
    for (int k = 0; k < spread.count(); ++k) {
        auto const& [system, integrator, seed] = simulations[static_cast<std::size_t>(k)];
        Context alone{system, integrator, TestedDevice{}, Mixed{}, seed};
        alone.set_positions(line);
        alone.step(20);
        CHECK(spread[k].positions() == alone.positions());
        CHECK(spread[k].velocities() == alone.velocities());
    }
    CHECK(spread[0].positions() != spread[1].positions());
}

TEST_CASE("failures of spread simulations are collected and named", "[device][replicas]") {
    using Catch::Matchers::Contains;
    std::vector<Simulation<Pair, LangevinMiddleIntegrator>> simulations(4, {springs(1000), at(300), 1});
    Spread spread(simulations, two_devices(), Mixed{});
    spread.for_each([](auto& context, int k) {
        if (k != 3) context.set_positions(line);
    });
    CHECK_THROWS_WITH(spread.step(3), Contains("simulation 3: ") && Contains("positions") && !Contains("simulation 0"));
    CHECK(spread[2].step_count() == 3);
    CHECK_THROWS_WITH(spread[4], Contains("simulation 4"));
    CHECK_THROWS_AS((Spread(simulations, std::vector<TestedDevice>{}, Mixed{})), InputError);
    simulations[1].system.forces<HarmonicBondForce>()[0].bonds[2].particle1 = 77;
    CHECK_THROWS_WITH((Spread(simulations, std::vector{TestedDevice{}}, Mixed{})),
                      Contains("simulation 1: ") && Contains("77"));
    CHECK_THROWS_WITH((Spread(simulations, std::vector{TestedDevice{.device = 99}}, Mixed{})), Contains("99"));
}
