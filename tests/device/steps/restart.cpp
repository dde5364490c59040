// Tests that interrupted, saved or observed runs on a device have the same bits as uninterrupted ones.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/device/pairs/nonbonded.hpp>
#include <trotter/trotter.hpp>

#include "device/tested_device.hpp"

using namespace trotter;

namespace {

using PressedFluid = System<ForceList<NonbondedForce, MonteCarloBarostat>>;

/// Five hundred charged particles on a lattice, and a barostat.
PressedFluid pressed_fluid() {
    PressedFluid system;
    system.box = Box::rectangular(2.8, 2.8, 3.5);
    NonbondedForce force{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 0.8};
    for (int i = 0; i < 500; ++i) {
        system.add_particle(8);
        force.particles.push_back({i % 2 == 0 ? 0.2 : -0.2, 0.24, 0.5});
    }
    system.add(force);
    system.add(MonteCarloBarostat{.pressure = 1, .temperature = 1000, .frequency = 15});
    return system;
}

constexpr std::int64_t first_step = 470, step_count = 60;  // the next sort is at 500

struct FluidRun {
    Context<PressedFluid, TestedDevice, Mixed, ListFor<LangevinMiddleIntegrator>::Type> context{
        pressed_fluid(), LangevinMiddleIntegrator{.temperature = 1000, .friction = 5, .step_size = 2 * fs, .seed = 7},
        TestedDevice{}, Mixed{}};

    void start() {
        std::vector<Vec3<>> positions;
        for (int i = 0; i < 500; ++i) positions.push_back({0.28 * (i % 10) + 0.02 * std::sin(i * 1.7), 0.28 * (i / 10 % 10), 0.7 * (i / 100)});
        context.set_positions(positions);
        context.set_velocities_to_temperature(1000, 5);
        context.evaluate({});
        context.set_step_count(first_step);
    }
    State end() { return context.state(StateData::positions | StateData::velocities | StateData::energy); }
};

void check_same_end(State const& found, State const& expected) {
    CHECK(found.positions == expected.positions);
    CHECK(found.velocities == expected.velocities);
    CHECK(found.potential_energy == expected.potential_energy);
    CHECK(found.box.value().a.x == expected.box.value().a.x);
}

State plain_run() {
    FluidRun run;
    run.start();
    run.context.step(step_count);
    return run.end();
}

}  // namespace

TEST_CASE("a run on a device goes on from a checkpoint as if it had not been interrupted", "[device]") {
    auto const expected = plain_run();
    for (std::int64_t const done : {0, 7, 29, 30, 48}) {
        INFO("saved after " << done << " steps");
        FluidRun saved, resumed;
        saved.start();
        saved.context.step(done);
        Archive archive;
        saved.context.save(archive);
        saved.context.step(step_count - done);
        check_same_end(saved.end(), expected);
        Archive in(archive.bytes());
        resumed.context.load(in);
        in.expect_end();
        resumed.context.step(step_count - done);
        check_same_end(resumed.end(), expected);
    }
}
// GBSA's loops have a list of their own, since the pairs of the NonbondedForce end at another distance; its lists are read
// before the first evaluation.
TEST_CASE("a checkpoint of a force with loops of its own is read in a new Context", "[device]") {
    System<ForceList<NonbondedForce, GBSAOBCForce>> system;
    system.box = Box::rectangular(2.8, 2.8, 3.5);
    NonbondedForce pairs{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 0.8};
    GBSAOBCForce implicit{.method = GBSAOBCForce::Method::cutoff_periodic, .cutoff_distance = 1.0};
    std::vector<Vec3<>> positions;
    for (int i = 0; i < 500; ++i) {
        system.add_particle(8);
        pairs.particles.push_back({i % 2 == 0 ? 0.2 : -0.2, 0.24, 0.5});
        implicit.particles.push_back({i % 2 == 0 ? 0.2 : -0.2, 0.15, 0.8});
        positions.push_back({0.28 * (i % 10) + 0.02 * std::sin(i * 1.7), 0.28 * (i / 10 % 10), 0.7 * (i / 100)});
    }
    system.add(pairs);
    system.add(implicit);
    auto const make = [&] { return Context{system, VerletIntegrator{.step_size = 2 * fs}, TestedDevice{}, Mixed{}}; };
    auto context = make(), resumed = make();
    context.set_positions(positions);
    context.step(15);
    Archive archive;
    context.save(archive);
    Archive bytes(archive.bytes());
    resumed.load(bytes);
    bytes.expect_end();
    context.step(15);
    resumed.step(15);
    CHECK(resumed.positions() == context.positions());
    CHECK(resumed.velocities() == context.velocities());
}

TEST_CASE("how often energies are asked for changes no bit of a run on a device", "[device]") {
    auto const expected = plain_run();
    for (std::int64_t const interval : {1, 10}) {
        INFO("every " << interval << " steps");
        FluidRun run;
        run.start();
        for (std::int64_t done = 0; done < step_count; done += interval) {
            run.context.state(StateData::energy | StateData::forces);
            run.context.step(interval);
        }
        check_same_end(run.end(), expected);
    }
}
