// DrudeLangevinIntegrator: its step, temperatures, hard wall, constraints, restart, validation.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/trotter.hpp>

#include <trotter/drude/hard_wall.hpp>
#include <trotter/drude/kernels.hpp>

#include "backends.hpp"
#include "catch_compat.hpp"
#include "largest_difference.hpp"
#include "oscillators.hpp"

using namespace trotter;

namespace {

DrudeLangevinIntegrator const cold{
    .temperature = 0, .friction = 3, .drude_temperature = 0, .drude_friction = 7, .step_size = 0.002};
DrudeLangevinIntegrator const warm{
    .temperature = 300, .friction = 20, .drude_temperature = 5, .drude_friction = 40, .step_size = 0.0005};

}  // namespace

TEST_CASE("Without noise, friction acts on the center of mass and on the relative motion of a pair", "[drude]") {
    auto integrator = cold;
    integrator.pairs = {{1, 0}};
    Vec3<> const force{4, 0, -8};  // on the Drude particle
    TestSimulation<DrudeLangevinIntegrator> simulation({.masses = {6, 2, 4}}, integrator, [&](HostState& host) {
        host.forces[1] += force;
        return 0.0;
    });
    auto& velocities = simulation.host().velocities;
    velocities = {{1, 2, 3}, {-1, 0, 1}, {2, 0, 0}};
    simulation.step();
    double const dt = 0.002, decay = std::exp(-3 * dt), drude_decay = std::exp(-7 * dt);
    auto const center = Vec3<>{0.5, 1.5, 2.5} * decay + force * ((1 - decay) / 3 / 8);
    auto const relative = Vec3<>{-2, -2, -2} * drude_decay + force * ((1 - drude_decay) / 7 / 2);
    double const rounding = 1e-14;
    CHECK(norm(velocities[0] * 0.75 + velocities[1] * 0.25 - center) < rounding);
    CHECK(norm(velocities[1] - velocities[0] - relative) < rounding);
    CHECK(norm(velocities[2] - Vec3<>{2 * decay, 0, 0}) < rounding);
    CHECK(simulation.host().time == dt);
}

TEST_CASE("Without friction and noise the step is leapfrog", "[drude]") {
    auto integrator = cold;
    integrator.friction = integrator.drude_friction = integrator.maximum_drude_distance = 0;
    integrator.pairs = {{1, 0}};
    TestSimulation<DrudeLangevinIntegrator> simulation({.masses = {6, 2}}, integrator, harmonic_well(400));
    TestSimulation<VerletIntegrator> expected({.masses = {6, 2}}, {.step_size = 0.002}, harmonic_well(400));
    simulation.host().positions = expected.host().positions = {{0.1, 0, 0}, {0.1, 0.01, 0}};
    simulation.step(50);
    expected.step(50);
    CHECK(norm(simulation.host().positions[1] - expected.host().positions[1]) < 1e-13);
    CHECK(simulation.kinetic_energy() == Approx(expected.kinetic_energy()).epsilon(1e-11));
}

TEST_CASE("Particles and Drude particles have their temperatures", "[drude][statistics]") {
    auto simulation = wells(warm, 200);
    auto const [system, drude] = mean_temperatures(simulation, 500, 4000);
    // 900 degrees of freedom with memories of 1/friction during 2 ps: standard errors of 0.7 %
    CHECK(system == Approx(300).epsilon(0.03));
    CHECK(drude == Approx(5).epsilon(0.03));
}

TEST_CASE("Drawn velocities have the temperatures of both motions", "[drude][statistics]") {
    auto simulation = wells(warm, 3000);
    simulation.kernel.draw_velocities(simulation.host(), 150, RandomStream{3, 1});
    auto const [system, drude] = simulation.kernel.temperatures(simulation.host());
    CHECK(system == Approx(150).epsilon(0.05));  // 10^4 degrees of freedom: standard error of 1.4 %
    CHECK(drude == Approx(5).epsilon(0.05));
}

TEST_CASE("Results do not depend on the number of threads", "[drude]") {
    auto one = wells(warm, 300, 1), four = wells(warm, 300, 4);
    one.step(20);
    four.step(20);
    CHECK(one.host().positions == four.host().positions);
    CHECK(one.host().velocities == four.host().velocities);
}

TEST_CASE("A Drude particle with a massless parent has the temperature of the relative motion", "[drude][statistics]") {
    auto integrator = warm;
    Particles particles;
    for (int n = 0; n < 300; ++n) {
        particles.masses.insert(particles.masses.end(), {0, 0.4});
        integrator.pairs.push_back({2 * n + 1, 2 * n});
    }
    TestSimulation<DrudeLangevinIntegrator> simulation(particles, integrator, harmonic_well(1000));
    auto const [system, drude] = mean_temperatures(simulation, 500, 2000);
    CHECK(system == 0);
    CHECK(drude == Approx(5).epsilon(0.04));  // 900 degrees of freedom during 1 ps: 1 %
    CHECK(simulation.host().positions[0] == Vec3<>{});
}

TEST_CASE("The hard wall reflects a Drude particle and keeps the momentum", "[drude]") {
    HostState host({.masses = {6, 2, 0, 3}}, {}, 1, 1);
    double const kT = constants::gas_constant * 2;
    host.positions = {{0, 0, 0}, {0, 0.025, 0}, {1, 0, 0}, {1.021, 0, 0}};
    host.velocities = {{0, -1, 2}, {1, 3, 0}, {}, {0.5, 7, 0}};
    auto const before = host.velocities[0] * 6 + host.velocities[1] * 2;
    drude::reflect(host, {{1, 0}, {3, 2}}, 0.02, 2, 0.1);
    auto const relative = host.velocities[1] - host.velocities[0];
    CHECK(norm(host.velocities[0] * 6 + host.velocities[1] * 2 - before) < 1e-14);
    CHECK(relative.y == Approx(-std::sqrt(kT / 2)));
    CHECK(relative.x == 1);
    CHECK(norm(host.positions[1] - host.positions[0]) == Approx(0.02 - std::sqrt(kT / 2) * 0.005 / 4));
    CHECK(norm(host.positions[0] * 6 + host.positions[1] * 2 - Vec3<>{0, 0.05, 0}) < 1e-15);
    // a massless parent stays
    CHECK(host.positions[2] == Vec3<>{1, 0, 0});
    CHECK(host.velocities[3].x == Approx(-std::sqrt(kT / 3)));
    CHECK(host.velocities[3].y == 7);
    CHECK(host.positions[3].x == Approx(1.02 - std::sqrt(kT / 3) * 0.002));

    host.positions[0] = {}, host.positions[1] = {0, 0.041, 0};
    CHECK_THROWS_WITH(
        drude::reflect(host, {{1, 0}}, 0.02, 2, 0.1),
        Catch::Contains("Drude particle 1 is ") && Catch::Contains("more than twice as far as the hard wall"));
    host.positions[1].y = std::numeric_limits<double>::quiet_NaN();
    CHECK_NOTHROW(drude::reflect(host, {{1, 0}}, 0.02, 2, 0.1));
}

TEST_CASE("Drude particles stay within the hard wall", "[drude]") {
    auto integrator = warm;
    integrator.drude_temperature = 300;
    integrator.maximum_drude_distance = 0.01;
    integrator.step_size = 0.0001;
    auto simulation = wells(integrator, 50);
    for (int n = 0; n < 200; ++n) {
        simulation.step();
        for (auto const& [drude, parent] : simulation.kernel.integrator().pairs)
            REQUIRE(norm(simulation.host().positions[static_cast<std::size_t>(drude)]
                         - simulation.host().positions[static_cast<std::size_t>(parent)])
                    < 0.0101);
    }
}

TEMPLATE_LIST_TEST_CASE("Steps are the same on every backend", "[drude]", TestedBackends) {
    auto integrator = warm;
    integrator.maximum_drude_distance = GENERATE(0.02, 0.0015);  // the second one is reached
    auto const run = [&](auto backend, auto precision) {
        Context context{chain(), integrator, backend, precision};
        context.set_positions(chain_positions);
        context.step(20);
        double const kinetic = context.kinetic_energy();
        return std::pair{context.positions(), kinetic};
    };
    auto const [expected, expected_kinetic] = run(Reference{}, Double{});
    auto const [found, kinetic] = run(typename TestType::Backend{}, typename TestType::Precision{});
    // rounding errors of forces and noise, which collisions with the wall enlarge
    CHECK(largest_difference(found, expected) < (TestType::is_double ? 1e-10 : 1e-5));
    CHECK(kinetic == Approx(expected_kinetic).epsilon(TestType::is_double ? 1e-7 : 1e-2));
}

TEMPLATE_LIST_TEST_CASE("Constraints hold, and a checkpoint continues bit for bit", "[drude]", TestedBackends) {
    auto const make = [] {
        return Context{chain(), warm, typename TestType::Backend{}, typename TestType::Precision{}};
    };
    auto context = make(), other = make();
    context.set_positions(chain_positions);
    context.visit_integrator([](auto& kernel) {
        kernel.set_temperature(250);
        kernel.set_drude_temperature(2);
        kernel.set_drude_friction(15);
    });
    context.step(20);
    CHECK(norm(context.positions()[0] - context.positions()[2]) == Approx(0.1).epsilon(1e-5));
    Archive saved;
    context.save(saved);
    Archive bytes(saved.bytes());
    other.load(bytes);
    context.step(20);
    other.step(20);
    CHECK(context.positions() == other.positions());
    CHECK(context.velocities() == other.velocities());
    context.reinitialize(true);
    context.step(1);
    CHECK(context.visit_integrator([](auto& kernel) { return kernel.integrator().drude_temperature; }) == 2);
}

TEST_CASE("Invalid settings of a DrudeLangevinIntegrator are refused", "[drude]") {
    auto const refusal = [](auto const& change) { return refusal_of(warm, change); };
    CHECK(refusal([](auto&) {}).empty());
    CHECK(refusal([](auto& i) { i.drude_temperature = not_set; })
          == "the Drude temperature of DrudeLangevinIntegrator was not set");
    CHECK_THAT(refusal([](auto& i) { i.temperature = -1; }),
               Catch::Contains("the temperature of DrudeLangevinIntegrator is -1"));
    CHECK_THAT(refusal([](auto& i) { i.drude_friction = -1; }), Catch::Contains("the Drude friction of"));
    CHECK_THAT(refusal([](auto& i) { i.maximum_drude_distance = -0.1; }),
               Catch::Contains("the maximum Drude distance of"));
    CHECK_THAT(refusal([](auto& i) {
                   i.pairs.push_back({1, 0});
               }),
               Catch::Contains("a pair of the DrudeLangevinIntegrator has particle 1, which is in a pair already"));
    CHECK_THAT(refusal([](auto& i) {
                   i.pairs = {{2, 0}};
               }),
               Catch::Contains("has particle 2, but the System has 2 particles"));

    auto system = chain();
    system.add(DrudeForce{});
    CHECK_THROWS_WITH((Context{system, warm, Reference{}, Double{}}),
                      Catch::Contains("the System has 2 DrudeForces, expected one for the DrudeLangevinIntegrator"));
    CHECK_THROWS_WITH(warm.joined_with(System<ForceList<HarmonicBondForce>>{}),
                      Catch::Contains("the System has no DrudeForce"));
}
