// The centre-of-mass motion remover and the Andersen thermostat.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <vector>

#include "catch_compat.hpp"
#include "harness.hpp"

using namespace trotter;

namespace {

Engine<TestBackend, Double> make_engine(Particles const& particles, int threads = 1) {
    Engine<TestBackend, Double> engine{HostState(particles, {}, threads, 3)};
    engine.host.step_size = 0.002;
    return engine;
}
template <class Force> void act(Kernel<Force, TestBackend, Double>& kernel, Engine<TestBackend, Double>& engine) {
    auto none = [](Request const&) { return 0.0; };
    kernel.before_step(engine, none);
}

}  // namespace

TEST_CASE("Centre-of-mass motion is removed at multiples of the frequency, step 0 among them") {
    auto engine = make_engine({.masses = {1, 3, 0}});
    Kernel<CMMotionRemover, TestBackend, Double> remover(CMMotionRemover{.frequency = 3}, engine, {});
    for (std::int64_t step : {0, 1, 2, 3, 4, 300}) {
        engine.host.step_count = step;
        engine.host.velocities = {{1, 0, 0}, {5, 4, 8}, {7, 7, 7}};
        act(remover, engine);
        // The mean over mass is (1+15, 12, 24)/4.
        if (step % 3 == 0)
            CHECK(engine.host.velocities == std::vector<Vec3<>>{{-3, -3, -6}, {1, 1, 2}, {7, 7, 7}});
        else
            CHECK(engine.host.velocities[0] == Vec3<>{1, 0, 0});
    }
    CHECK_THROWS_WITH((Kernel<CMMotionRemover, TestBackend, Double>(CMMotionRemover{.frequency = 0}, engine, {})),
                      Catch::Contains("frequency of CMMotionRemover is 0"));
}

TEST_CASE("Andersen collisions have the rate and the velocities that were asked for, group by group") {
    // 500 groups of three constrained particles, 4,000 of free ones. In 200 steps of probability p = 1-exp(-10·0.002)
    // some 900,000 p = 17,800 collisions: a relative deviation of 0.75 %; 29,700 particles: of v² 0.5 %.
    Particles particles{.masses = std::vector<double>(5500, 16.0)};
    for (int n = 0; n < 500; ++n)
        for (int hydrogen : {1, 2}) particles.constraints.push_back({3 * n, 3 * n + hydrogen, 0.1});
    auto engine = make_engine(particles);
    Kernel<AndersenThermostat, TestBackend, Double> thermostat(
        AndersenThermostat{.temperature = 300, .collision_frequency = 10}, engine, {});
    HostState& host = engine.host;
    host.parameters.set(AndersenThermostat::temperature_parameter, 450);
    int collisions = 0, drawn = 0, torn_groups = 0;
    double square = 0;
    for (int step = 0; step < 200; ++step) {
        host.velocities.assign(host.size(), {});
        act(thermostat, engine);
        ++host.step_count;
        for (std::size_t i = 0; i < host.size(); ++i) {
            bool const moved = host.velocities[i] != Vec3<>{};
            if (i < 1500 && i % 3 > 0) torn_groups += moved != (host.velocities[i - 1] != Vec3<>{});
            collisions += moved && (i >= 1500 || i % 3 == 0);
            drawn += moved;
            square += 16 * dot(host.velocities[i], host.velocities[i]);
        }
    }
    CHECK(torn_groups == 0);
    CHECK(collisions == Approx(200 * 4500 * (1 - std::exp(-0.02))).epsilon(3 * 0.0075));
    CHECK(square / (3 * drawn) == Approx(constants::gas_constant * 450).epsilon(3 * 0.005));
}

TEST_CASE("Andersen collisions leave massless particles alone and do not depend on the threads") {
    Particles particles{.masses = std::vector<double>(3000, 4.0)};
    particles.masses[5] = 0;
    auto draw = [&](int threads) {
        auto engine = make_engine(particles, threads);
        engine.host.velocities[5] = {1, 2, 3};
        Kernel<AndersenThermostat, TestBackend, Double> thermostat(
            AndersenThermostat{.temperature = 300, .collision_frequency = 1e9}, engine, {});
        act(thermostat, engine);
        return engine.host.velocities;
    };
    auto const one = draw(1);
    CHECK(one[5] == Vec3<>{1, 2, 3});
    CHECK(one[6] != Vec3<>{});
    CHECK(draw(3) == one);
}

TEST_CASE("AndersenThermostat refuses negative numbers") {
    auto engine = make_engine({.masses = {1}});
    using Thermostat = Kernel<AndersenThermostat, TestBackend, Double>;
    CHECK_THROWS_WITH(Thermostat(AndersenThermostat{.temperature = -1, .collision_frequency = 1}, engine, {}),
                      Catch::Contains("temperature of AndersenThermostat is -1"));
    CHECK_THROWS_AS(Thermostat(AndersenThermostat{.temperature = 1, .collision_frequency = -1}, engine, {}), InputError);
}
