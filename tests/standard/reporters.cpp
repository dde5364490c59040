// Reporters: content and times of reports, on Context and AnyContext.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/error.hpp>
#include <trotter/io/reporters.hpp>
#include <trotter/io/trajectory_reader.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>
#include <trotter/units.hpp>

#include "catch_compat.hpp"
#include "io/scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

/// Two dimers, one of them outside the box.
System<ForceList<HarmonicBondForce, NonbondedForce>> dimers(bool periodic) {
    System<ForceList<HarmonicBondForce, NonbondedForce>> system;
    system.box = Box::rectangular(2.5, 2.6, 2.7);
    HarmonicBondForce bonds{.bonds = {{0, 1, 0.15, 1e4}, {2, 3, 0.15, 1e4}}};
    NonbondedForce pairs{.method = periodic ? NonbondedForce::Method::cutoff_periodic : NonbondedForce::Method::no_cutoff,
                         .cutoff_distance = 0.9};
    for (int i = 0; i < 4; ++i) {
        system.add_particle(12);
        pairs.particles.push_back({0, 0.3, 0.1});
    }
    pairs.exceptions = {{0, 1, 0, 0.3, 0}, {2, 3, 0, 0.3, 0}};
    system.add(bonds);
    system.add(pairs);
    return system;
}
StandardSystem standard(bool periodic) {
    auto const from = dimers(periodic);
    StandardSystem system;
    system.box = from.box;
    system.particles = from.particles;
    system.add(from.forces<HarmonicBondForce>()[0]);
    system.add(from.forces<NonbondedForce>()[0]);
    return system;
}

VerletIntegrator const integrator{.step_size = 0.002};
std::vector<Vec3<>> const start{{0.1, 0.2, 0.3}, {0.26, 0.2, 0.3}, {5.6, 0.2, 0.3}, {5.76, 0.2, 0.3}};

auto typed(bool periodic = true) {
    auto context = Context{dimers(periodic), integrator, Reference{}, Double{}};
    context.set_positions(start);
    return context;
}
auto dynamic(bool periodic = true) {
    AnyContext context(standard(periodic), integrator, {.platform = "reference"});
    context.set_positions(start);
    return context;
}

/// A user's reporter.
struct StepsSeen {
    int interval = 1;
    std::vector<std::int64_t> steps{};
    void report(auto const& context) { steps.push_back(context.step_count()); }
};
struct NotSo {
    void report(auto&) {}
};
static_assert(Reporter<StepsSeen, AnyContext>);
static_assert(Reporter<TrajectoryReporter, AnyContext> && Reporter<LogReporter, AnyContext>);
static_assert(!Reporter<NotSo, AnyContext>);

std::vector<std::string> lines_of(std::string const& path) {
    std::istringstream text{bytes_of(path)};
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

template <class C> void check_files(C context, bool periodic) {
    CAPTURE(periodic);
    ScratchFolder const folder;
    {
        TrajectoryReporter dcd{folder / "t.dcd", context, {.interval = 10}};
        TrajectoryReporter xtc{folder / "t.xtc", context, {.interval = 15, .wrap = true}};
        LogReporter log{folder / "log.csv", context, {.interval = 20, .last_step = 40}};
        simulate(context, 40, dcd, xtc, log);
    }
    auto const dcd = read_trajectory(folder / "t.dcd"), xtc = read_trajectory(folder / "t.xtc");
    REQUIRE(dcd.size() == 4);
    REQUIRE(xtc.size() == 2);
    CHECK(dcd[3].step == 40);
    CHECK(dcd[3].time == Approx(0.08));
    CHECK(dcd[3].box.has_value() == periodic);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            CHECK(static_cast<float>(10 * dcd[3].positions[i][axis]) == static_cast<float>(10 * context.positions()[i][axis]));
    CHECK(xtc[1].step == 30);
    CHECK(xtc[1].time == Approx(0.06));
    CHECK(xtc[1].positions[2].x == Approx(dcd[2].positions[2].x - (periodic ? 5 : 0)).margin(0.0011));

    auto const lines = lines_of(folder / "log.csv");
    REQUIRE(lines.size() == 3);
    CHECK(lines[1].starts_with("50.0%,20,0.04"));
    auto const state = context.state(Energy);
    auto const row = log_row(context);
    CHECK(row.potential_energy == state.potential_energy);
    CHECK(row.temperature == Approx(2 * state.kinetic_energy / (12 * constants::gas_constant)));
    CHECK(row.volume.has_value() == periodic);
    if (periodic) CHECK(*row.density == Approx(4 * 12 / (2.5 * 2.6 * 2.7) * 1.66053906660e-3));
    auto const number = [](double value) { return format_log_number(value) + ","; };
    CHECK(lines[2].starts_with("100.0%,40," + number(row.time) + number(row.potential_energy) + number(row.kinetic_energy)));
}

}  // namespace

TEST_CASE("trajectory and log are written beside the steps") {
    for (bool const periodic : {true, false}) {
        check_files(typed(periodic), periodic);
        check_files(dynamic(periodic), periodic);
    }
}

TEST_CASE("reporters report at multiples of their intervals, in their order") {
    auto context = typed();
    StepsSeen seven{.interval = 7}, ten{.interval = 10};
    simulate(context, 5, seven, ten);
    CHECK((seven.steps.empty() && ten.steps.empty()));
    simulate(context, 16, seven, ten);
    CHECK(seven.steps == std::vector<std::int64_t>{7, 14, 21});
    CHECK(ten.steps == std::vector<std::int64_t>{10, 20});
    simulate(context, 0, seven);
    CHECK(seven.steps.size() == 3);
    simulate(context, 3);
    CHECK(context.step_count() == 24);
    auto other = dynamic();
    simulate(other, 30, ten);
    CHECK(ten.steps == std::vector<std::int64_t>{10, 20, 10, 20, 30});
}

TEST_CASE("reporting changes no bit") {
    auto plain = typed(), reported = typed();
    ScratchFolder const folder;
    plain.step(100);
    simulate(reported, 100, TrajectoryReporter{folder / "t.xtc", reported, {.interval = 3, .wrap = true}},
             LogReporter{folder / "log.csv", reported, {.interval = 7}});
    CHECK(plain.positions() == reported.positions());
    CHECK(plain.velocities() == reported.velocities());
}

TEST_CASE("reporters go on with their files") {
    ScratchFolder const folder;
    auto context = typed();
    FileMark frames, lines;
    {
        TrajectoryReporter trajectory{folder / "t.dcd", context, {.interval = 10}};
        LogReporter log{folder / "log.csv", context, {.interval = 10, .last_step = 40}};
        simulate(context, 20, trajectory, log);
        trajectory.sync(), log.sync();
        frames = trajectory.mark(), lines = log.mark();
    }
    TrajectoryReporter trajectory{folder / "t.dcd", context, {.interval = 10, .first_step = 10, .resume_at = frames}};
    LogReporter log{folder / "log.csv", context, {.interval = 10, .first_step = 0, .last_step = 40, .resume_at = lines}};
    simulate(context, 20, trajectory, log);
    auto const read = read_trajectory(folder / "t.dcd");
    REQUIRE(read.size() == 4);
    CHECK(read[3].step == 40);
    auto const text = lines_of(folder / "log.csv");
    REQUIRE(text.size() == 5);
    CHECK(text[3].starts_with("75.0%,30,"));
}

TEST_CASE("a trajectory of some particles has the positions that the whole one has") {
    ScratchFolder const folder;
    auto const check = [&](auto context) {
        {
            TrajectoryReporter all{folder / "all.dcd", context, {.interval = 5, .wrap = true}};
            TrajectoryReporter some{folder / "some.dcd", context,
                                    {.interval = 5, .wrap = true, .particles = std::vector{1, 2}}};
            simulate(context, 10, all, some);
        }
        auto const all = read_trajectory(folder / "all.dcd"), some = read_trajectory(folder / "some.dcd");
        REQUIRE(some.size() == 2);
        for (std::size_t frame = 0; frame < 2; ++frame) {
            auto const& positions = all[frame].positions;
            CHECK(some[frame].positions == std::vector{positions[1], positions[2]});
            CHECK(some[frame].box == all[frame].box);
            CHECK(some[frame].step == all[frame].step);
        }
    };
    check(typed());
    check(dynamic());
}

TEST_CASE("particles to save are ascending indices, and a bad position is named by its own") {
    ScratchFolder const folder;
    auto context = typed(false);
    auto const refusal = [&](std::vector<int> const& particles) {
        return message_of<InputError>([&] {
            TrajectoryReporter(folder / "t.dcd", context, {.particles = particles});
        });
    };
    CHECK(refusal({}) == folder / "t.dcd" + ": there are no particles to save, expected at least one");
    CHECK(refusal({1, 0}) == folder / "t.dcd" + ": the particles to save include 0 behind 1, expected ascending indices below 4");
    CHECK(refusal({2, 2}).find("include 2 behind 2") != std::string::npos);
    CHECK(refusal({-1}).find("include -1 first") != std::string::npos);
    CHECK(refusal({3, 4}).find("include 4 behind 3") != std::string::npos);
    CHECK(std::filesystem::is_empty(folder.path()));
    TrajectoryReporter some{folder / "t.dcd", context, {.particles = std::vector{2, 3}}};
    context.set_positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1e300, 0}});
    CHECK(message_of<SimulationError>([&] { some.report(context); })
          == folder / "t.dcd" + ": at step 0 particle 3 has the coordinate 1e+300 nm, expected at most 2147483 nm either way");
    CHECK(read_trajectory(folder / "t.dcd").empty());
}

TEST_CASE("reporters refuse intervals, names and files that make no sense") {
    ScratchFolder const folder;
    auto context = typed();
    auto const refusal = [&](auto const& make) { return message_of<Error>(make); };
    CHECK(refusal([&] { TrajectoryReporter(folder / "t.dcd", context, {.interval = 0}); })
          == folder / "t.dcd" + ": the interval between frames is 0 steps, expected at least 1");
    CHECK(refusal([&] { LogReporter(folder / "log.csv", context, {.interval = -3}); })
          == folder / "log.csv" + ": the interval between lines is -3 steps, expected at least 1");
    CHECK(refusal([&] { TrajectoryReporter(folder / "t.pdb", context); })
          == folder / "t.pdb" + ": the format of the trajectory is not known, expected a name that ends in .dcd, .xtc or .nc");
    CHECK(std::filesystem::is_empty(folder.path()));
    CHECK_THROWS_AS((TrajectoryReporter{folder / "none/t.dcd", context}), OutputError);
    CHECK_THROWS_AS((LogReporter{folder / "none/log.csv", context}), OutputError);
    StepsSeen one, never{.interval = 0};
    CHECK(refusal([&] { simulate(context, 10, one, never); })
          == "the interval of reporter 1 is 0 steps, expected at least 1 (reporters are counted from 0)");
    CHECK(refusal([&] { simulate(context, -1, one); }) == "the number of steps is -1, expected 0 or more");
    context.set_step_count(std::numeric_limits<std::int64_t>::max() - 5);
    CHECK(refusal([&] { simulate(context, 6, one); }).find("expected a sum below 2^63") != std::string::npos);
    CHECK(one.steps.empty());
}

TEST_CASE("an energy that is no number stops the log with its step and force") {
    ScratchFolder const folder;
    auto context = typed(false);
    LogReporter log{folder / "log.csv", context};
    context.set_positions({{0, 0, 0}, {1e200, 0, 0}, {0, 1, 0}, {0, 1.15, 0}});
    context.set_step_count(12);
    CHECK(message_of<SimulationError>([&] { log.report(context); }).starts_with("step 12: the "));
    CHECK(lines_of(folder / "log.csv").size() == 1);
}

TEST_CASE("positions, velocities and forces are views of what the Context holds") {
    auto const check = [](auto context) {
        std::span<Vec3<> const> const positions = context.positions(), velocities = context.velocities();
        context.evaluate({});
        std::span<Vec3<> const> const forces = context.forces();
        CHECK(positions.size() == 4);
        CHECK(positions[2].x == 5.6);
        CHECK(positions.data() == context.positions().data());
        CHECK(velocities.data() == context.velocities().data());
        CHECK(forces.data() == context.forces().data());
        CHECK(forces[0].x == Approx(1e4 * 0.01));
    };
    check(typed(false));
    check(dynamic(false));
}
