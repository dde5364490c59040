// Integrators that are splittings: steps computed by hand, conserved quantities, temperature, threads.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch_compat.hpp"
#include "common/harness.hpp"

#include <trotter/integrators/langevin.hpp>
#include <trotter/integrators/verlet.hpp>

using namespace trotter;

namespace {

double kT(double temperature) { return constants::gas_constant * temperature; }

/// Σ over all components of x² k/2 and m v²/2 [kJ/mol], and the number of components.
template <class S> double spring_energy(S& simulation, double k) {
    double sum = 0;
    for (auto const& x : simulation.host().positions) sum += 0.5 * k * dot(x, x);
    return sum;
}

}  // namespace

TEST_CASE("A Verlet step is a kick and a drift") {
    TestSimulation simulation({.masses = {2, 0}}, VerletIntegrator{.step_size = 0.5}, harmonic_well(3));
    simulation.host().positions = {{1, 0, -2}, {5, 5, 5}};
    simulation.host().velocities = {{0, 1, 0}, {1, 1, 1}};
    simulation.step();
    // v = v - 3 x 0.5/2, x = x + 0.5 v
    CHECK(simulation.host().velocities[0] == Vec3<>{-0.75, 1, 1.5});
    CHECK(simulation.host().positions[0] == Vec3<>{0.625, 0.5, -1.25});
    CHECK(simulation.host().positions[1] == Vec3<>{5, 5, 5});
    CHECK(simulation.host().velocities[1] == Vec3<>{1, 1, 1});
    CHECK(simulation.host().time == 0.5);
    // Kinetic energy at the time of the positions: v + dt/2 F/m
    Vec3<> const v{-0.75 - 0.25 * 1.5 * 0.625, 1 - 0.25 * 1.5 * 0.5, 1.5 + 0.25 * 1.5 * 1.25};
    CHECK(simulation.kinetic_energy() == Approx(dot(v, v)).epsilon(1e-14));
    CHECK(simulation.kernel.velocity_offset() == 0.25);
}

TEST_CASE("A step may have more O's in a row than noise is drawn for at once") {
    SplittingIntegrator<Splitting{"V R O R O R O R O R O R"}> const integrator{
        .temperature = 300, .friction = 2, .step_size = 0.5, .seed = 99};
    TestSimulation simulation({.masses = {2}}, integrator, harmonic_well(3));
    simulation.host().positions = {{1, 0, -2}};
    simulation.host().step_count = 17;
    simulation.step();
    Vec3<> x{1, 0, -2}, v = x * (-3 * 0.5 / 2);
    double const a = std::exp(-2 * 0.1);
    for (std::uint64_t draw = 5 * 17; draw < 5 * 18; ++draw) {
        x += v * (0.5 / 6);
        v = v * a + RandomStream{99, 0}.normals(draw, 0) * std::sqrt((1 - a * a) * kT(300) / 2);
    }
    x += v * (0.5 / 6);
    CHECK(norm(simulation.host().velocities[0] - v) < 1e-13);
    CHECK(norm(simulation.host().positions[0] - x) < 1e-13);
}

TEST_CASE("A LangevinMiddle step is a kick, half a drift, friction and noise, half a drift") {
    LangevinMiddleIntegrator const integrator{.temperature = 300, .friction = 2, .step_size = 0.5, .seed = 99};
    TestSimulation simulation({.masses = {2}}, integrator, harmonic_well(3));
    simulation.host().positions = {{1, 0, -2}};
    simulation.host().velocities = {{0, 1, 0}};
    simulation.host().step_count = 17;
    simulation.step();
    Vec3<> const noise = RandomStream{99, 0}.normals(17, 0);
    Vec3<> const kicked{-0.75, 1, 1.5};
    double const a = std::exp(-1.0);
    Vec3<> const v = kicked * a + noise * std::sqrt((1 - a * a) * kT(300) / 2);
    CHECK(norm(simulation.host().velocities[0] - v) < 1e-14);
    CHECK(norm(simulation.host().positions[0] - (Vec3<>{1, 0, -2} + kicked * 0.25 + v * 0.25)) < 1e-14);
    CHECK(simulation.kinetic_energy() == Approx(dot(v, v)).epsilon(1e-14));
    CHECK(simulation.kernel.velocity_offset() == 0.25);
}

TEST_CASE("LangevinIntegrator makes the same steps as LangevinMiddleIntegrator") {
    auto end = [](auto integrator) {
        integrator.temperature = 300, integrator.friction = 1, integrator.step_size = 0.01, integrator.seed = 5;
        TestSimulation simulation({.masses = {1, 2, 3}}, integrator, harmonic_well(10));
        simulation.step(50);
        return simulation.host().positions;
    };
    CHECK(end(LangevinIntegrator{}) == end(LangevinMiddleIntegrator{}));
}

TEST_CASE("Constraints act on positions and velocities as the product asks") {
    // A rod in a plane, kicked along its axis and perpendicular to it: the first part is removed, the second rotates
    // it.
    Particles const rod{.masses = {1, 3}, .constraints = {{0, 1, 0.1}}};
    auto check = [&](auto const& integrator) {
        TestSimulation simulation(rod, integrator, [](HostState& host) {
            host.forces[0] += Vec3<>{-50, 20, 0};
            host.forces[1] += Vec3<>{50, 0, 10};
            return 0.0;
        });
        auto& host = simulation.host();
        host.positions = {{0, 0, 0}, {0.1, 0, 0}};
        simulation.step(20);
        Vec3<> const d = host.positions[1] - host.positions[0], v = host.velocities[1] - host.velocities[0];
        CHECK(norm(d) == Approx(0.1).epsilon(1e-11));
        // Momentum is force times time: 20 steps of 0.01 ps.
        Vec3<> const momentum = host.velocities[0] * 1 + host.velocities[1] * 3;
        CHECK(norm(momentum - Vec3<>{0, 20, 10} * 0.2) < 1e-10);
        // The relative velocity is that of the last drift, hence nearly perpendicular to the rod.
        CHECK(std::abs(dot(d, v)) < 0.05 * norm(d) * norm(v));
    };
    check(VerletIntegrator{.step_size = 0.01, .constraint_tolerance = 1e-12});
    check(LangevinMiddleIntegrator{.temperature = 0, .friction = 0, .step_size = 0.01, .constraint_tolerance = 1e-12});
    check(SplittingIntegrator<Splitting{"V R V"}>{.step_size = 0.01, .constraint_tolerance = 1e-12});
    check(SplittingIntegrator<Splitting{"R V R"}>{.step_size = 0.01, .constraint_tolerance = 1e-12});
    check(SplittingIntegrator<Splitting{"V R O R V"}>{
        .temperature = 0, .friction = 0, .step_size = 0.01, .constraint_tolerance = 1e-12});
}

TEST_CASE("An oscillator keeps its energy to second order in the step") {
    // For velocities half a step behind the positions, E + dt²k²/(8m)… oscillates about a constant; the amplitude is
    // at most (ω dt)²/4 of the energy.
    auto spread = [](auto integrator, double dt) {
        integrator.step_size = dt;
        TestSimulation simulation({.masses = {2}}, integrator, harmonic_well(8));
        simulation.host().positions = {{1, 0, 0}};
        double low = 1e9, high = -1e9;
        for (int n = 0; n < 2000; ++n) {
            simulation.step();
            double const energy = simulation.kinetic_energy() + spring_energy(simulation, 8);
            low = std::min(low, energy), high = std::max(high, energy);
        }
        return (high - low) / 4;
    };
    double const omega = 2;
    auto check = [&](auto const& integrator) {
        for (double dt : {0.01, 0.02}) CHECK(spread(integrator, dt) < 0.3 * std::pow(omega * dt, 2));
        CHECK(spread(integrator, 0.02) / spread(integrator, 0.01) == Approx(4).epsilon(0.02));
    };
    check(VerletIntegrator{});
    check(SplittingIntegrator<Splitting{"V R V"}>{});
    check(SplittingIntegrator<Splitting{"R V R"}>{});
}

TEMPLATE_TEST_CASE("Thermostatted oscillators have the temperature that was asked for", "", LangevinMiddleIntegrator,
                   SplittingIntegrator<Splitting{"V R O R V"}>, SplittingIntegrator<Splitting{"O V R V O"}>,
                   SplittingIntegrator<Splitting{"R V O V R"}>) {
    // 400 particles of two masses, 2,000 steps of which each 20th counts: 100 nearly independent samples of 1,200
    // components, whose squares have a relative deviation of √(2/120000) = 0.4 %.
    std::vector<double> masses(400, 1.0);
    for (std::size_t i = 0; i < 200; ++i) masses[i] = 16;
    TestType const integrator{.temperature = 300, .friction = 20, .step_size = 0.005, .seed = 3};
    double const k = 400;
    TestSimulation simulation({.masses = masses}, integrator, harmonic_well(k));
    simulation.step(200);
    double kinetic = 0, potential = 0;
    for (int n = 0; n < 100; ++n) {
        simulation.step(20);
        kinetic += simulation.kinetic_energy() / 100;
        potential += spring_energy(simulation, k) / 100;
    }
    CHECK(potential == Approx(600 * kT(300)).epsilon(3 * 0.004));
    // Velocities at the end of a step are exact to (ω dt)²/4 = 0.25 % (light particles) in these schemes.
    CHECK(kinetic == Approx(600 * kT(300)).epsilon(3 * 0.004 + 0.0025));
}

TEST_CASE("The number of threads changes no bit") {
    auto end = [](int threads) {
        LangevinMiddleIntegrator const integrator{.temperature = 300, .friction = 1, .step_size = 0.002, .seed = 8};
        TestSimulation simulation({.masses = std::vector<double>(5000, 12.0)}, integrator, harmonic_well(100), threads);
        simulation.step(20);
        return std::pair{simulation.host().positions, simulation.kinetic_energy()};
    };
    auto const one = end(1);
    CHECK(end(2) == one);
    CHECK(end(7) == one);
}

TEST_CASE("A step size of 0 and numbers without sense are refused") {
    TestSimulation simulation({.masses = {1}}, VerletIntegrator{.step_size = 0}, harmonic_well(1));
    CHECK_THROWS_WITH(simulation.step(), Catch::Contains("step size of VerletIntegrator is 0.0"));
    auto make = [](auto integrator) { TestSimulation s({.masses = {1}}, integrator, harmonic_well(1)); };
    CHECK_THROWS_AS(make(VerletIntegrator{.step_size = -1}), InputError);
    CHECK_THROWS_AS(make(VerletIntegrator{.step_size = 1, .constraint_tolerance = 0}), InputError);
    CHECK_THROWS_AS(make(LangevinMiddleIntegrator{.temperature = -1, .friction = 1, .step_size = 1}), InputError);
    CHECK_THROWS_AS(make(LangevinMiddleIntegrator{.temperature = 1, .friction = -1, .step_size = 1}), InputError);
    CHECK_THROWS_AS(simulation.kernel.set_step_size(-1), InputError);
}

TEST_CASE("A step that begins where the last one ended takes over its forces, unless something has changed") {
    int evaluations = 0;
    double stiffness = 8;
    auto const counted = [&](HostState& host) {
        ++evaluations;
        return harmonic_well(stiffness)(host);
    };
    auto evaluations_of = [&](auto integrator, auto const& change) {
        integrator.step_size = 0.01, integrator.constraint_tolerance = 1e-10;
        TestSimulation simulation({.masses = {1, 2}}, integrator, counted);
        simulation.host().parameters.declare("p", 1);
        simulation.host().positions = {{0.1, 0, 0}, {0, 0.2, 0}};
        evaluations = 0;
        for (int n = 0; n < 10; ++n) {
            simulation.step();
            change(simulation);
        }
        return evaluations;
    };
    auto const nothing = [](auto&) {};
    CHECK(evaluations_of(SplittingIntegrator<Splitting{"V R V"}>{}, nothing) == 11);
    CHECK(evaluations_of(SplittingIntegrator<Splitting{"V R O R V"}>{.temperature = 0, .friction = 0}, nothing) == 11);
    CHECK(evaluations_of(SplittingIntegrator<Splitting{"O V R V O"}>{.temperature = 0, .friction = 0}, nothing) == 11);
    CHECK(evaluations_of(SplittingIntegrator<Splitting{"V R V R V"}>{}, nothing) == 21);
    CHECK(evaluations_of(SplittingIntegrator<Splitting{"R V R"}>{}, nothing) == 10);
    CHECK(evaluations_of(VerletIntegrator{}, nothing) == 10);
    using VRV = SplittingIntegrator<Splitting{"V R V"}>;
    CHECK(evaluations_of(VRV{}, [](auto& s) { s.host().positions[0].x += 1e-15; }) == 20);
    CHECK(evaluations_of(VRV{}, [](auto& s) { s.host().box = Box::rectangular(1 + s.host().time, 1, 1); }) == 20);
    CHECK(evaluations_of(VRV{}, [](auto& s) { s.host().parameters.set("p", s.host().time); }) == 20);
    CHECK(evaluations_of(VRV{}, [](auto& s) { s.evaluate(); }) == 30);
    // A change of a force's parameters is noticed, as if forces had been requested.
    auto end = [&](bool asks) {
        TestSimulation simulation({.masses = {1}}, VRV{.step_size = 0.1}, counted);
        simulation.host().positions = {{1, 0, 0}};
        stiffness = 8;
        simulation.step();
        stiffness = 4;
        if (asks) simulation.evaluate();
        else ++simulation.host().evaluations;
        simulation.step();
        return simulation.host().positions;
    };
    CHECK(end(true) == end(false));
}

TEST_CASE("Constraints that cannot be satisfied name the step") {
    auto message = [](auto const& integrator) -> std::string {
        TestSimulation simulation({.masses = {1, 1}, .constraints = {{0, 1, 0.1}}}, integrator, harmonic_well(0));
        simulation.host().positions = {{0, 0, 0}, {0.1, 0, 0}};
        simulation.host().step_count = 41;
        simulation.step();
        simulation.host().velocities = {{0, 900, 0}, {0, -900, 0}};
        try {
            simulation.step();
        } catch (SimulationError const& error) {
            return error.what();
        }
        return "";
    };
    auto check = [&](auto const& integrator) {
        CHECK_THAT(message(integrator),
                   Catch::StartsWith("step 42: constraint 0 between particles 0 and 1 could not be satisfied")
                       && Catch::Contains("it has ") && Catch::Contains("expected 0.1 nm"));
    };
    check(VerletIntegrator{.step_size = 0.001});
    check(LangevinMiddleIntegrator{.temperature = 0, .friction = 0, .step_size = 0.001});
    check(VariableVerletIntegrator{.maximum_step_size = 0.001});
    check(NoseHooverIntegrator{.step_size = 0.001});
}
