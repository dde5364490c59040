// DrudeNoseHooverIntegrator: as a NoseHooverIntegrator with pairs, energies, temperatures, restart, validation.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/trotter.hpp>

#include <trotter/drude/kernels.hpp>

#include "backends.hpp"
#include "catch_compat.hpp"
#include "oscillators.hpp"

using namespace trotter;

namespace {

DrudeNoseHooverIntegrator const integrator{.temperature = 300,
                                           .collision_frequency = 50,
                                           .drude_temperature = 5,
                                           .drude_collision_frequency = 100,
                                           .step_size = 0.0005,
                                           .maximum_drude_distance = 0};

}  // namespace

TEST_CASE("Drude oscillators move as the pairs of a NoseHooverIntegrator", "[drude]") {
    auto simulation = wells(integrator, 20);
    NoseHooverIntegrator::Chain chain{
        .temperature = 300, .collision_frequency = 50, .relative_temperature = 5, .relative_collision_frequency = 100};
    for (auto const& [drude, parent] : simulation.kernel.integrator().pairs) chain.pairs.push_back({drude, parent});
    for (int i = 40; i < 50; ++i) chain.particles.push_back(i);
    auto forces = wells(integrator, 20);
    TestSimulation<NoseHooverIntegrator> expected(simulation.host().particles, {.chains = {chain}, .step_size = 0.0005},
                                                  [&](HostState& host) {
                                                      forces.host().positions = host.positions;
                                                      double const energy = forces.evaluate();
                                                      host.forces = forces.host().forces;
                                                      return energy;
                                                  });
    simulation.kernel.draw_velocities(simulation.host(), 300, RandomStream{5, 1});
    expected.host().velocities = simulation.host().velocities;
    simulation.step(50);
    expected.step(50);
    CHECK(simulation.host().positions == expected.host().positions);
    CHECK(simulation.host().velocities == expected.host().velocities);
}

TEST_CASE("Both Nosé-Hoover chains keep their temperatures and the conserved energy", "[drude][statistics]") {
    auto simulation = wells(integrator, 200);
    simulation.kernel.draw_velocities(simulation.host(), 300, RandomStream{5, 1});
    auto const conserved = [&] {
        auto evaluate = [&](Request const&) { return simulation.evaluate(); };
        // velocities lag half a step behind the positions
        double const kinetic = shifted_kinetic_energy(simulation.host(), evaluate, 0.00025, 1e-6);
        return kinetic + simulation.evaluate() + simulation.kernel.heat_bath_energy();
    };
    double const start = conserved();
    auto const [system, drude] = mean_temperatures(simulation, 10000, 30000);
    // 900 and 600 degrees of freedom during 15 ps, several periods of the wells
    CHECK(system == Approx(300).epsilon(0.03));
    CHECK(drude == Approx(5).epsilon(0.05));
    CHECK(std::abs(conserved() - start) < 0.02 * simulation.kernel.total_kinetic_energy(simulation.host()));
}

TEST_CASE("The reported kinetic energy is without the relative motion", "[drude]") {
    auto pair = integrator;
    pair.pairs = {{1, 0}};
    TestSimulation<DrudeNoseHooverIntegrator> simulation({.masses = {6, 2, 4}}, pair, no_forces);
    simulation.host().velocities = {{1, 0, 0}, {-1, 0, 0}, {0, 3, 0}};
    CHECK(simulation.kinetic_energy() == Approx(1 + 18));
    CHECK(simulation.kernel.total_kinetic_energy(simulation.host()) == Approx(4 + 18));
}

TEMPLATE_LIST_TEST_CASE("A checkpoint of Nosé-Hoover chains continues bit for bit", "[drude]", TestedBackends) {
    auto const make = [] {
        return Context{chain(), integrator, typename TestType::Backend{}, typename TestType::Precision{}};
    };
    auto context = make(), other = make();
    context.set_positions(chain_positions);
    context.set_velocities({{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 1}});
    context.set_temperature(250);
    context.set_step_size(0.0004);
    context.step(20);
    Archive saved;
    context.save(saved);
    Archive bytes(saved.bytes());
    other.load(bytes);
    CHECK(other.step_size() == 0.0004);
    context.step(20);
    other.step(20);
    CHECK(context.positions() == other.positions());
    CHECK(context.velocities() == other.velocities());
    context.reinitialize(true);
    context.step(1);
    CHECK(context.visit_integrator([](auto& kernel) { return kernel.integrator().temperature; }) == 250);
}

TEST_CASE("Invalid settings of a DrudeNoseHooverIntegrator are refused", "[drude]") {
    auto const refusal = [](auto const& change) { return refusal_of(integrator, change); };
    CHECK(refusal([](auto&) {}).empty());
    CHECK(refusal([](auto& i) { i.drude_temperature = not_set; })
          == "the Drude temperature of DrudeNoseHooverIntegrator was not set");
    CHECK_THAT(refusal([](auto& i) { i.collision_frequency = 0; }), Catch::Contains("the collision frequency of"));
    CHECK_THAT(refusal([](auto& i) { i.maximum_drude_distance = -0.1; }),
               Catch::Contains("the maximum Drude distance of"));
    CHECK_THAT(refusal([](auto& i) { i.yoshida_suzuki_steps = 2; }), Catch::Contains("expected 1, 3, 5 or 7"));
    CHECK_THAT(refusal([](auto& i) { i.pairs = {{1, 5}}; }), Catch::Contains("particle 5"));
    CHECK_THROWS_WITH(integrator.joined_with(System<ForceList<HarmonicBondForce>>{}),
                      Catch::Contains("the System has no DrudeForce, expected one for the DrudeNoseHooverIntegrator"));
}
