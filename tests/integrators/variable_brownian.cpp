// Variable steps and Brownian dynamics: choice of the step size, temperatures, restart, invalid input.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <vector>

#include "catch_compat.hpp"
#include "common/harness.hpp"

#include <trotter/base/archive.hpp>
#include <trotter/integrators/langevin.hpp>
#include <trotter/integrators/verlet.hpp>

using namespace trotter;

TEST_CASE("The next step follows the forces within bounds") {
    constexpr double free = std::numeric_limits<double>::infinity();
    CHECK(next_step_size(0, 100, 1e-4, free) == 1e-3);     // sqrt(1e-4/100)
    CHECK(next_step_size(2e-3, 100, 1e-4, free) == 1e-3);  // decreases at once
    CHECK(next_step_size(1e-4, 100, 1e-4, free) == 2e-4);  // at most doubles
    CHECK(next_step_size(9e-4, 100, 1e-4, free) == 9e-4);  // ignores an increase of less than a fifth
    CHECK(next_step_size(8e-4, 100, 1e-4, free) == 1e-3);
    CHECK(next_step_size(0, 100, 1e-4, 5e-4) == 5e-4);
}

TEST_CASE("A variable step is that of the root mean square acceleration over all particles") {
    // Accelerations 3/2·1 and 0 (massless): over 6 components, RMS = 1.5/sqrt(6).
    TestSimulation simulation({.masses = {2, 0}}, VariableVerletIntegrator{.error_tolerance = 1e-4}, harmonic_well(3));
    simulation.host().positions = {{1, 0, 0}, {1, 1, 1}};
    simulation.host().velocities = {{0, 1, 0}, {}};
    simulation.step();
    double const dt = std::sqrt(1e-4 / (1.5 / std::sqrt(6)));
    CHECK(simulation.host().time == Approx(dt).epsilon(1e-14));
    // From rest the first kick is half a step.
    CHECK(simulation.host().velocities[0].x == Approx(-1.5 * dt / 2).epsilon(1e-14));
    CHECK(simulation.host().positions[0].y == Approx(dt).epsilon(1e-14));
}

TEST_CASE("A variable step without forces needs a limit") {
    TestSimulation free({.masses = {1}}, VariableVerletIntegrator{}, harmonic_well(0));
    CHECK_THROWS_AS(free.step(), SimulationError);
    TestSimulation limited({.masses = {1}}, VariableVerletIntegrator{.maximum_step_size = 0.25}, harmonic_well(0));
    limited.step(2);
    CHECK(limited.host().time == 0.5);
}

TEST_CASE("VariableLangevin has the temperature that was asked for") {
    // 400 particles; 100 samples of 1,200 components, nearly independent: a relative deviation of 0.4 % of mean
    // squares.
    VariableLangevinIntegrator const integrator{.temperature = 300, .friction = 20, .error_tolerance = 5e-4, .seed = 3};
    TestSimulation simulation({.masses = std::vector<double>(400, 4.0)}, integrator, harmonic_well(400));
    simulation.host().positions.assign(400, {0.1, 0, 0});
    simulation.step(300);
    double potential = 0;
    for (int n = 0; n < 100; ++n) {
        simulation.step(20);
        for (auto const& x : simulation.host().positions) potential += 200 * dot(x, x) / 100;
    }
    CHECK(potential == Approx(600 * constants::gas_constant * 300).epsilon(3 * 0.004));
}

TEST_CASE("Variable steps go on with the same bits from what they saved") {
    VariableLangevinIntegrator const integrator{.temperature = 300, .friction = 20, .error_tolerance = 1e-4, .seed = 3};
    TestSimulation whole({.masses = {1, 2}}, integrator, harmonic_well(400)),
        first({.masses = {1, 2}}, integrator, harmonic_well(400)),
        second({.masses = {1, 2}}, integrator, harmonic_well(400));
    for (auto* simulation : {&whole, &first}) simulation->host().positions = {{0.1, 0, 0}, {0, 0.2, 0}};
    whole.step(50);
    first.step(20);
    Archive written;
    first.kernel.save(written);
    Archive read(written.bytes());
    second.kernel.load(read);
    second.host().positions = first.host().positions;
    second.host().velocities = first.host().velocities;
    second.host().time = first.host().time;
    second.host().step_count = first.host().step_count;
    second.step(30);
    CHECK(second.host().positions == whole.host().positions);
    CHECK(second.host().time == whole.host().time);
}

TEST_CASE("A Brownian step follows force and noise") {
    BrownianIntegrator const integrator{.temperature = 300, .friction = 5, .step_size = 0.01, .seed = 4};
    TestSimulation simulation({.masses = {2, 0}}, integrator, harmonic_well(3));
    simulation.host().positions = {{1, 0, -2}, {1, 1, 1}};
    simulation.step();
    Vec3<> const noise = RandomStream{4, 0}.normals(0, 0);
    Vec3<> const move =
        Vec3<>{-3, 0, 6} * (0.01 / (2 * 5)) + noise * std::sqrt(2 * constants::gas_constant * 300 * 0.01 / (2 * 5));
    CHECK(norm(simulation.host().positions[0] - Vec3<>{1, 0, -2} - move) < 1e-15);
    CHECK(norm(simulation.host().velocities[0] - move / 0.01) < 1e-12);
    CHECK(simulation.host().positions[1] == Vec3<>{1, 1, 1});
}

TEST_CASE("Brownian oscillators have the temperature that was asked for") {
    // k dt/(m friction) = 0.05 shifts <x²> by 1/(1 - 0.025); 500 samples of 1,200 components, one each relaxation time.
    BrownianIntegrator const integrator{.temperature = 300, .friction = 100, .step_size = 0.0125, .seed = 4};
    TestSimulation simulation({.masses = std::vector<double>(400, 1.0)}, integrator, harmonic_well(400));
    simulation.step(200);
    double potential = 0;
    for (int n = 0; n < 500; ++n) {
        simulation.step(20);
        for (auto const& x : simulation.host().positions) potential += 200 * dot(x, x) / 500;
    }
    CHECK(potential == Approx(600 * constants::gas_constant * 300 / (1 - 0.025)).epsilon(3 * 0.0025));
}

TEST_CASE("Numbers without sense are refused") {
    auto make = [](auto integrator) { TestSimulation s({.masses = {1}}, integrator, harmonic_well(1)); };
    CHECK_THROWS_AS(make(VariableVerletIntegrator{.error_tolerance = 0}), InputError);
    CHECK_THROWS_AS(make(VariableLangevinIntegrator{.temperature = 0, .friction = 0, .maximum_step_size = -1}), InputError);
    CHECK_THROWS_AS(make(BrownianIntegrator{.temperature = -3, .friction = 1, .step_size = 1}), InputError);
    CHECK_THROWS_AS(make(BrownianIntegrator{.temperature = 3, .friction = -1, .step_size = 1}), InputError);
    TestSimulation still({.masses = {1}}, BrownianIntegrator{.temperature = 0, .friction = 0, .step_size = 1},
                         harmonic_well(1));
    CHECK_THROWS_WITH(still.step(), Catch::Contains("friction of BrownianIntegrator"));
}
