// Tests the Andersen thermostat on a device against Reference: the same particles collide, with the same velocities.
// SPDX-License-Identifier: MIT
#include "device/compare_steps.hpp"

using namespace trotter;

namespace {

VerletIntegrator const constrained_leapfrog{.step_size = 2 * fs, .constraint_tolerance = 1e-10};

SmallSystem with_thermostat(double frequency) {
    auto system = small_system();
    system.add(AndersenThermostat{.temperature = 300, .collision_frequency = frequency, .seed = 3});
    return system;
}

}  // namespace

TEST_CASE("collisions with a heat bath on the device", "[device]") {
    check_steps_on_device(with_thermostat(20), constrained_leapfrog);
}
TEST_CASE("collisions before each step, then the centre of mass is stopped", "[device]") {
    for (int const frequency : {1, 3}) {
        auto system = with_thermostat(20);
        system.add(CMMotionRemover{.frequency = frequency});
        check_steps_on_device(system, constrained_leapfrog);
    }
}
TEST_CASE("collisions between steps that are taken on the host", "[device]") {
    auto system = with_thermostat(20);
    system.add_particle(0);
    system.particles.virtual_sites[14] = TwoParticleAverageSite{3, 12, 0.5, 0.5};
    auto const positions_after = [&](auto backend) {
        Context context{system, constrained_leapfrog, backend, Double{}};
        start_small_system(context);
        context.step(20);
        return context.positions();
    };
    CHECK(largest_difference(positions_after(TestedDevice{}), positions_after(Reference{})) < 1e-11);
}
TEST_CASE("temperature and frequency of collisions change between steps", "[device]") {
    auto const velocities_after = [](auto backend) {
        Context context{with_thermostat(0), constrained_leapfrog, backend, Double{}};
        start_small_system(context);
        context.step(10);
        context.set_parameter(AndersenThermostat::collision_frequency_parameter, 1e6);  // all collide
        context.step(5);
        context.set_parameter(AndersenThermostat::temperature_parameter, 10);
        context.step(5);
        return context.velocities();
    };
    CHECK(largest_difference(velocities_after(TestedDevice{}), velocities_after(Reference{})) < 1e-9);
}
TEST_CASE("a thermostat on a device refuses numbers that make no sense", "[device]") {
    using Catch::Matchers::Contains;
    auto const make = [](AndersenThermostat const& thermostat) {
        auto system = small_system();
        system.add(thermostat);
        Context context{system, constrained_leapfrog, TestedDevice{}, Mixed{}};
    };
    CHECK_THROWS_WITH(make({.temperature = -1}), Contains("temperature of AndersenThermostat is -1"));
    CHECK_THROWS_WITH(make({.temperature = 300, .collision_frequency = -2}), Contains("collision frequency of AndersenThermostat is -2"));
}
