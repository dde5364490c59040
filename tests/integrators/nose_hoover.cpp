// Nosé-Hoover chains: conserved energy, thermostatted particles, the maximum pair distance, restart, invalid input.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "catch_compat.hpp"
#include "common/harness.hpp"

#include <trotter/base/archive.hpp>

using namespace trotter;

namespace {

using Chain = NoseHooverIntegrator::Chain;

Chain make_chain(std::vector<int> particles = {}, std::vector<Chain::Pair> pairs = {}) {
    return {.temperature = 300,
            .collision_frequency = 20,
            .relative_temperature = 30,
            .relative_collision_frequency = 40,
            .particles = std::move(particles),
            .pairs = std::move(pairs)};
}
TestSimulation<NoseHooverIntegrator> make_springs(NoseHooverIntegrator const& integrator, Particles const& particles,
                                                  int threads = 1) {
    TestSimulation<NoseHooverIntegrator> simulation(particles, integrator, harmonic_well(500), threads);
    RandomStream const random{1, 9};
    for (std::size_t i = 0; i < particles.masses.size(); ++i) {
        simulation.host().positions[i] = random.normals(0, static_cast<std::uint32_t>(i)) * 0.1;
        simulation.host().velocities[i] = random.normals(1, static_cast<std::uint32_t>(i));
    }
    return simulation;
}
std::vector<int> freedoms(std::vector<Chain> const& chains, Particles const& particles, bool removes_motion = false) {
    HostState host(particles, {}, 1, 1);
    host.removes_motion = removes_motion;
    std::vector<int> result;
    for (auto const& group : make_nose_hoover_groups({.chains = chains}, host))
        for (auto const* chain : group.chains()) result.push_back(chain->degrees_of_freedom);
    return result;
}

}  // namespace

TEST_CASE("Particles and heat baths keep their energy together, to second order in the step") {
    Particles const particles{.masses = {1, 2, 12, 16, 1}};
    auto spread = [&](double dt) {
        auto simulation =
            make_springs({.chains = {make_chain({0, 1}), make_chain({4}, {{2, 3}})}, .step_size = dt}, particles);
        auto evaluate = [&](Request const&) { return simulation.evaluate(); };
        double low = 1e9, high = -1e9;
        for (int n = 0; n < 4000; ++n) {
            simulation.step();
            // Velocities of this scheme lag half a step behind the positions.
            double const kinetic = shifted_kinetic_energy(simulation.host(), evaluate, dt / 2, 1e-6);
            double const energy = kinetic + simulation.evaluate() + simulation.kernel.heat_bath_energy();
            low = std::min(low, energy), high = std::max(high, energy);
        }
        return high - low;
    };
    double const coarse = spread(0.002), fine = spread(0.001);
    CHECK(coarse < 0.2);  // of some 20 kJ/mol
    CHECK(coarse / fine == Approx(4).epsilon(0.25));
}

TEST_CASE("Constraints and the removal of motion take degrees of freedom") {
    Particles const water{.masses = {16, 1, 1, 16, 1, 1, 0}, .constraints = {{0, 1, 0.1}, {0, 2, 0.1}, {1, 2, 0.16}}};
    CHECK(freedoms({make_chain()}, water) == std::vector{18 - 3});
    CHECK(freedoms({make_chain()}, water, true) == std::vector{18 - 3 - 3});
    CHECK(freedoms({make_chain({0, 1, 2}), make_chain({3, 4, 5})}, water, true) == std::vector{6, 9 - 3});
    CHECK(freedoms({make_chain({3}, {{4, 5}})}, water) == std::vector{6, 3});
    CHECK(freedoms({make_chain({}, {{4, 5}})}, water) == std::vector{3, 3});
}

TEST_CASE("Particles without a thermostat, or without mass, are not scaled") {
    auto simulation = make_springs({.chains = {make_chain({0})}, .step_size = 0.001}, {.masses = {4, 4, 0}});
    auto& host = simulation.host();
    host.positions = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
    host.velocities = {{9, 0, 0}, {1, 2, 3}, {1, 2, 3}};
    simulation.step();
    CHECK(host.velocities[0].x < 9);
    CHECK(host.velocities[1] == Vec3<>{1, 2, 3});
    CHECK(host.positions[2] == Vec3<>{1, 1, 1});
}

TEST_CASE("Pairs do not leave their wall") {
    // Separating at 2 nm/ps, 0.0005 nm beyond a hard wall at 0.1 nm after the step: they are reflected with
    // sqrt(kT/m1).
    auto simulation = TestSimulation(
        {.masses = {4, 4}},
        NoseHooverIntegrator{.chains = {make_chain({}, {{0, 1}})}, .maximum_pair_distance = 0.1, .step_size = 0.001},
        [](HostState&) { return 0.0; });
    auto& host = simulation.host();
    host.positions = {{0.0995, 0, 0}, {0, 0, 0}};
    host.velocities = {{1, 0, 0}, {-1, 0, 0}};
    simulation.step();
    double const back = std::sqrt(constants::gas_constant * 30 / 4);
    CHECK(host.velocities[0].x - host.velocities[1].x == Approx(-back).epsilon(1e-12));
    CHECK(host.positions[0].x - host.positions[1].x < 0.1);
    CHECK(host.positions[0].x - host.positions[1].x > 0.1 - back * 0.001);
    CHECK(host.velocities[0].x == Approx(-host.velocities[1].x).epsilon(1e-12));
}

TEST_CASE("Chains go on with the same bits from what they saved, and from the parameters of a State") {
    NoseHooverIntegrator const integrator{.chains = {make_chain({0, 1}, {{2, 3}})}, .step_size = 0.002};
    Particles const particles{.masses = {1, 2, 12, 16}};
    auto whole = make_springs(integrator, particles), first = make_springs(integrator, particles);
    whole.step(60);
    first.step(25);
    Archive written;
    first.kernel.save(written);
    Archive read(written.bytes());
    for (bool from_archive : {true, false}) {
        auto second = make_springs(integrator, particles);
        if (from_archive)
            second.kernel.load(read);
        else
            second.kernel.set_parameters(first.kernel.parameters());
        second.host().positions = first.host().positions;
        second.host().velocities = first.host().velocities;
        second.step(35);
        CHECK(second.host().positions == whole.host().positions);
        CHECK(second.kernel.parameters() == whole.kernel.parameters());
    }
    auto const parameters = whole.kernel.parameters();
    CHECK(parameters.size() == 2 * 2 * 3);
    CHECK(parameters.contains(NoseHooverIntegrator::bead_position(0, 1, 2)));
    CHECK(parameters.contains("IntegratorParameters[0]/Chain[0]/Bead[0]/velocity"));
}

TEST_CASE("The number of threads changes no bit of Nosé-Hoover dynamics") {
    auto end = [](int threads) {
        auto simulation = make_springs({.chains = {make_chain()}, .step_size = 0.001},
                                       {.masses = std::vector<double>(3000, 3.0)}, threads);
        simulation.step(10);
        return simulation.host().positions;
    };
    auto const one = end(1);
    CHECK(end(2) == one);
    CHECK(end(7) == one);
}

TEST_CASE("Chains without sense are refused") {
    Particles const particles{.masses = {1, 1, 1, 0}, .constraints = {{0, 1, 0.1}}};
    auto refusal = [&](std::vector<Chain> const& chains) -> std::string {
        try {
            freedoms(chains, particles);
        } catch (InputError const& error) {
            return error.what();
        }
        return "";
    };
    auto with = [](auto change) {
        Chain chain = make_chain({0, 1});
        change(chain);
        return std::vector{chain};
    };
    using Catch::Contains;
    CHECK(refusal({make_chain({0, 1})}).empty());
    CHECK_THAT(refusal(with([](Chain& c) { c.chain_length = 0; })), Contains("chain length") && Contains("at least 1"));
    CHECK_THAT(refusal(with([](Chain& c) { c.multiple_time_steps = 0; })), Contains("multiple time steps"));
    CHECK_THAT(refusal(with([](Chain& c) { c.yoshida_suzuki_steps = 4; })), Contains("is 4, expected 1, 3, 5 or 7"));
    CHECK_THAT(refusal(with([](Chain& c) { c.temperature = -1; })), Contains("temperature"));
    CHECK_THAT(refusal(with([](Chain& c) { c.collision_frequency = 0; })), Contains("collision frequency"));
    CHECK_THAT(refusal({make_chain({0, 1}, {{2, 3}})}), Contains("particle 3") && Contains("no mass"));
    CHECK_THAT(refusal({make_chain({0, 1}), make_chain({1})}),
               Contains("particle 1") && Contains("thermostats 0 and 1"));
    CHECK_THAT(refusal({make_chain({0, 1, 1})}), Contains("particle 1") && Contains("twice"));
    CHECK_THAT(refusal({make_chain({0, 9})}), Contains("particle 9"));
    CHECK_THAT(refusal({make_chain({0}), make_chain({1})}), Contains("particles 0 and 1 are joined by a constraint"));
}
