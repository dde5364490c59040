// Replicas with one Context each, and Systems that are several copies of another.
// SPDX-License-Identifier: MIT
#include "backends.hpp"
#include "catch_compat.hpp"

#include <vector>

#include <trotter/replicas.hpp>
#include <trotter/replicas/spread.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

using Molecule = System<ForceList<HarmonicBondForce, NonbondedForce, AndersenThermostat, MonteCarloBarostat>>;

Molecule molecule() {
    Molecule system;
    for (int i = 0; i < 4; ++i) system.add_particle(i + 1);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}, {1, 2, 0.1, 1000}}});
    NonbondedForce force{.global_parameters = {{"scale", 0}}};
    for (int i = 0; i < 4; ++i) force.particles.push_back({0.1 * i - 0.15, 0.1, 0.2});
    force.exceptions = {{0, 1}, {1, 2, 0.1, 0.2, 0.3}};
    force.particle_offsets = {{"scale", 3, 0.5, 0, 0}};
    force.exception_offsets = {{"scale", 1, 0.25, 0, 0}};
    system.add(force);
    return system;
}
std::vector<Vec3<>> const places{{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.12, 0}, {0.3, 0.3, 0.3}};

LangevinMiddleIntegrator const langevin{.temperature = 300, .friction = 5, .step_size = 1 * fs, .seed = 4};

}  // namespace

namespace {

/// A pair force, as far as copies are concerned.
struct Attraction {
    static constexpr std::string_view name = "Attraction";
    struct Site {
        double strength = 0;
    };
    struct Pairs {
        struct Exclusion {
            int particle1 = 0, particle2 = 0;
        };
        std::vector<Exclusion> exclusions;
    };
    std::vector<Site> all;
    Pairs pairs;
    int force_group = 0;
    static constexpr auto sites = &Attraction::all;
};

}  // namespace

TEST_CASE("a repeated sum over pairs") {
    System<ForceList<Attraction>> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    system.add(Attraction{.all = {{1}, {2}, {3}}, .pairs = {{{0, 2}}}});
    auto const thrice = replicate(system, 3);
    auto const& force = thrice.forces<Attraction>()[0];
    CHECK(force.all.size() == 9);
    CHECK(force.all[7].strength == 2);
    CHECK(force.pairs.exclusions.size() == 3);
    CHECK((force.pairs.exclusions[2].particle1 == 6 && force.pairs.exclusions[2].particle2 == 8));
}

TEST_CASE("a repeated System has all terms of its copies, and no others") {
    auto system = molecule();
    system.add_particle(0);
    system.forces<NonbondedForce>()[0].particles.push_back({});
    system.set_virtual_site(4, TwoParticleAverageSite{1, 3, 0.5, 0.5});
    system.add_constraint(0, 2, 0.15);
    auto const twice = replicate(system, 2);
    CHECK(twice.particle_count() == 10);
    CHECK(twice.particles.masses[8] == system.particles.masses[3]);
    CHECK(twice.particles.constraints[1].particle2 == 7);
    CHECK(parents(twice.particles.virtual_sites.at(9)) == std::vector{6, 8});
    auto const& bonds = twice.forces<HarmonicBondForce>()[0].bonds;
    CHECK(bonds.size() == 4);
    CHECK((bonds[2].particle1 == 5 && bonds[2].particle2 == 6 && bonds[2].k == 1000));
    auto const& force = twice.forces<NonbondedForce>()[0];
    CHECK(force.particles.size() == 10);
    CHECK((force.exceptions[3].particle1 == 6 && force.exceptions[3].particle2 == 7));
    CHECK((force.particle_offsets[1].index == 8 && force.exception_offsets[1].index == 3));
    system.add(MonteCarloBarostat{});
    CHECK_THROWS_WITH(replicate(system, 2), Catch::Contains("MonteCarloBarostat"));
}

TEMPLATE_LIST_TEST_CASE("replicas with Contexts of their own", "", TestedBackends) {
    typename TestType::Backend const backend{};
    typename TestType::Precision const precision{};
    auto const system = molecule();
    Replicas replicas{system, langevin, backend, precision, 3, 9};
    replicas.set_state(State{.time = 2, .positions = places});
    replicas.set_velocities_to_temperature(300, 17);
    auto other = places;
    other[3] = {1, 1, 1};
    replicas.set_state(2, State{.positions = other});
    replicas.step(20);
    Context single{system, langevin, backend, precision, 9};
    single.set_state(State{.time = 2, .positions = places});
    single.set_velocities_to_temperature(300, 17);
    single.step(20);
    auto const first = replicas.state(0, Positions | Velocities | Energy),
               expected = single.state(Positions | Velocities | Energy);
    CHECK(first.positions == expected.positions);
    CHECK(first.velocities == expected.velocities);
    CHECK(first.potential_energy == expected.potential_energy);
    CHECK(first.time == expected.time);
    CHECK(replicas.positions(0) != replicas.positions(1));
    CHECK(replicas.step_count() == 20);
    // Integrator and velocities have different seeds in each replica.
    CHECK(norm(replicas.positions(2)[3] - Vec3<>{1, 1, 1}) < 0.2);
    CHECK_THROWS_WITH(replicas.positions(-1), Catch::Contains("replica -1"));
    replicas.set_parameter("scale", 1);
    CHECK(replicas.state(0, Energy).potential_energy != first.potential_energy);
}

TEMPLATE_LIST_TEST_CASE("temperature, friction and step size of live replicas can be changed", "", TestedBackends) {
    typename TestType::Backend const backend{};
    typename TestType::Precision const precision{};
    auto const system = molecule();
    Replicas replicas{system, langevin, backend, precision, 3, 9};
    replicas.set_state(State{.positions = places});
    replicas.step(5);
    auto const start = replicas.state(0, Positions | Velocities);
    replicas.set_temperature(100);
    replicas.set_temperature(1, 500);
    replicas.set_friction(20);
    replicas.set_step_size(2 * fs);
    replicas.step(10);
    CHECK(replicas.time() == Approx(0.025));
    Context single{system, langevin, backend, precision, 9};
    single.set_state(start);
    single.set_temperature(100);
    single.set_friction(20);
    single.set_step_size(2 * fs);
    single.step(10);
    CHECK(replicas.positions(0) == single.positions());
    // Without noise all trajectories are equal.
    Replicas cold{system, LangevinMiddleIntegrator{.temperature = 0, .friction = 5, .step_size = 1 * fs}, backend, precision, 2};
    cold.set_state(State{.positions = places});
    cold.step(5);
    auto const frozen = cold.positions(0);
    CHECK(frozen == cold.positions(1));
    cold.set_temperature(1, 300);
    cold.step(5);
    CHECK(cold.positions(0) != cold.positions(1));
    CHECK_THROWS_WITH(cold.set_temperature(2, 300), Catch::Contains("there is no replica 2"));
    CHECK_THROWS_WITH(cold.set_temperature(0, -1), Catch::Contains("temperature of LangevinMiddleIntegrator is -1"));
    CHECK_THROWS_AS((Replicas{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision, 2}.set_temperature(1, 300)),
                    UnsupportedError);
}

TEMPLATE_LIST_TEST_CASE("temperature, friction and step size of spread simulations can be changed", "",
                        TestedBackends) {
    using Backend = typename TestType::Backend;
    typename TestType::Precision const precision{};
    std::vector<Simulation<Molecule, LangevinMiddleIntegrator>> const simulations(2, {molecule(), langevin, 9});
    Spread spread(simulations, std::vector{Backend{}}, precision);
    spread.for_each([](auto& context, int) { context.set_positions(places); });
    spread.set_temperature(100);
    spread[1].set_temperature(500);
    spread.set_friction(20);
    spread.set_step_size(2 * fs);
    spread.step(10);
    for (int k = 0; k < 2; ++k) {
        Context alone{molecule(), LangevinMiddleIntegrator{.temperature = k == 0 ? 100.0 : 500.0, .friction = 20, .step_size = 2 * fs, .seed = 4},
                      Backend{}, precision, 9};
        alone.set_positions(places);
        alone.step(10);
        CHECK(spread[k].positions() == alone.positions());
    }
    CHECK_THROWS_WITH(spread.set_friction(-1), Catch::Contains("simulation 0") && Catch::Contains("friction"));
}

TEMPLATE_LIST_TEST_CASE("a replica that fails with a Context of its own is named", "", TestedBackends) {
    auto system = molecule();
    system.forces<HarmonicBondForce>()[0].bonds[0].k = 1e12;
    Replicas replicas{system, langevin, typename TestType::Backend{}, typename TestType::Precision{}, 2};
    replicas.set_state(State{.positions = places});
    auto broken = places;
    broken[0] = {-0.5, 0, 0};
    replicas.set_positions(1, broken);
    CHECK_THROWS_AS(replicas.step(2000), SimulationError);
    CHECK_THROWS_WITH(replicas.step(2000),
                      Catch::Contains("replica") && Catch::Contains("step") && Catch::Contains("particle"));
}
