// Ramps, protocols of equilibration, restraints and barostats of stages.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include "io/scratch.hpp"

#include <trotter/app/selection.hpp>
#include <trotter/app/stages/protocols.hpp>
#include <trotter/app/stages/stage_system.hpp>
#include <trotter/error.hpp>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

TEST_CASE("a ramp is linear between its points and constant outside", "[app][stages]") {
    Ramp const ramp({{10, 100}, {20, 300}, {40, 200}});
    CHECK(ramp.at(0) == 100);
    CHECK(ramp.at(10) == 100);
    CHECK(ramp.at(15) == Approx(200));
    CHECK(ramp.at(20) == 300);
    CHECK(ramp.at(35) == Approx(225));
    CHECK(ramp.at(1e9) == 200);
    CHECK(ramp.smallest() == 100);
    CHECK(ramp.last() == 200);
    CHECK_FALSE(ramp.is_constant());
    CHECK(Ramp(3.5).is_constant());
    CHECK(Ramp(3.5).at(7) == 3.5);
}

TEST_CASE("a ramp's text reads back as the same ramp", "[app][stages]") {
    for (auto const& ramp : {Ramp(0.1), Ramp({{0, 10}, {50.25, 1.0 / 3}}), Ramp({{5, -1e-7}})})
        CHECK(Ramp::parse(ramp.text()) == ramp);
    CHECK(Ramp::parse("300") == Ramp(300));
    CHECK(Ramp::parse("0:10,50:300") == Ramp({{0, 10}, {50, 300}}));
}

TEST_CASE("what is no ramp is refused", "[app][stages]") {
    auto const parse = [](char const* text) { return message_of<InputError>([&] { Ramp::parse(text); }); };
    for (auto const* text : {"", "a", "0:1,", "0:1;2:3", "1:", ":1", "0:nan", "0:1,2"})
        CHECK_THAT(parse(text), Contains("is no ramp, expected"));
    CHECK_THAT(parse("10:1,5:2"), Contains("point 1 of a ramp is 2 at 5 ps, expected"));
    CHECK_THAT(parse("-1:1"), Contains("times that begin at 0 or later"));
    CHECK_THAT(message_of<InputError>([] { Ramp(std::vector<RampPoint>{}); }), Contains("a ramp has no point"));
}

TEST_CASE("the protocol of Roe and Brooks has the steps of their table", "[app][stages]") {
    auto const plan = protocol("roe-brooks", {.temperature = 310, .pressure = 2});
    struct Row {
        char const* name;
        bool moves;
        int steps;
        double timestep;
        char const* restraint;
        double weight;  // [kcal/mol/Å²], of AMBER's w d²
        bool has_pressure;
    };
    std::vector<Row> const table{{"min-1", false, 0, 0, "heavy_input", 5, false},
                                 {"nvt", true, 15'000, 0.001, "heavy_start", 5, false},
                                 {"min-2", false, 0, 0, "heavy_start", 2, false},
                                 {"min-3", false, 0, 0, "heavy_start", 0.1, false},
                                 {"min-4", false, 0, 0, "", 0, false},
                                 {"npt-1", true, 5'000, 0.001, "heavy_npt", 1, true},
                                 {"npt-2", true, 5'000, 0.001, "heavy_npt", 0.5, true},
                                 {"npt-3", true, 10'000, 0.001, "backbone_npt", 0.5, true},
                                 {"npt-4", true, 5'000, 0.002, "", 0, true},
                                 {"density", true, 500'000, 0.002, "", 0, true}};
    REQUIRE(plan.stages.size() == table.size());
    for (std::size_t n = 0; n < table.size(); ++n) {
        auto const& [name, moves, steps, timestep, restraint, weight, has_pressure] = table[n];
        auto const& stage = plan.stages[n];
        INFO("step " << n + 1);
        CHECK(stage.name == name);
        CHECK((stage.kind == StageKind::simulate) == moves);
        CHECK(stage.steps() == steps);
        if (!moves) CHECK(stage.max_iterations == 1000);
        if (moves) CHECK(stage.timestep == timestep);
        if (moves) CHECK(stage.temperature == Ramp(310));
        CHECK(stage.pressure == (has_pressure ? std::optional(Ramp(2)) : std::nullopt));
        int acting = 0;
        for (auto const& known : plan.position_restraints)
            if (auto const factor = factor_in(stage, known)) {
                ++acting;
                CHECK(known.name == restraint);
                // ½ k d² with d in nm and kJ against w d² with d in Å and kcal
                CHECK(0.5 * known.force_constant * factor->first() == Approx(weight * 4.184 * 100));
            }
        CHECK(acting == (weight > 0 ? 1 : 0));
    }
    CHECK(plan.stages.back().until_plateau);
    CHECK(plan.stages.back().most_blocks == 20);
    CHECK(plan.stages[1].velocities == StageVelocities::drawn);
    CHECK(plan.stages[5].velocities == StageVelocities::drawn);
    for (auto const& restraint : plan.position_restraints) CHECK_NOTHROW(Selection::parse(restraint.atoms));
}

TEST_CASE("protocols are shortened by a factor, and known by name", "[app][stages]") {
    auto const shorter = protocol("roe-brooks", {.time_factor = 0.01});
    CHECK(shorter.stages[1].steps() == 150);
    CHECK(shorter.stages[0].max_iterations == 10);
    auto const simple = protocol("simple", {.temperature = 280});
    REQUIRE(simple.stages.size() == 3);
    CHECK(simple.stages[1].time == 100);
    CHECK_FALSE(simple.stages[1].pressure);
    CHECK(simple.stages[2].time == 1000);
    CHECK(simple.stages[2].pressure == Ramp(1));
    CHECK_THAT(message_of<InputError>([] { protocol("fast", {}); }),
               Contains("protocol is \"fast\", expected roe-brooks or simple"));
    CHECK_THAT(message_of<InputError>([] { protocol("simple", {.temperature = 0}); }),
               Contains("temperature is 0, expected a number above 0"));
}

TEST_CASE("a restraint acts where it or the stage says so", "[app][stages]") {
    PositionRestraint const everywhere{.name = "a", .atoms = "all"};
    PositionRestraint const named{.name = "b", .atoms = "all", .is_everywhere = false};
    Stage stage{.name = "s"};
    CHECK(factor_in(stage, everywhere) == Ramp(1));
    CHECK_FALSE(factor_in(stage, named));
    stage.restraints = {{"a", 0}, {"b", 0.5}};
    CHECK_FALSE(factor_in(stage, everywhere));
    CHECK(factor_in(stage, named) == Ramp(0.5));
}

TEST_CASE("a stage without steps is refused", "[app][stages]") {
    Stage const stage{.name = "heat", .time = 0.0001, .timestep = 0.002};
    CHECK_THAT(message_of<InputError>([&] { (void)stage.steps(); }), Contains("stage heat: a time of"));
}

namespace {

StandardSystem three_particles(bool is_periodic) {
    StandardSystem system;
    for (double const mass : {12.0, 0.0, 1.0}) system.add_particle(mass);
    NonbondedForce force;
    force.particles.resize(3);
    if (is_periodic) force.method = NonbondedForce::Method::pme;
    system.box = Box::rectangular(3, 3, 3);
    system.add(force);
    system.add(MonteCarloBarostat{.pressure = 5, .temperature = 100});
    system.add(CMMotionRemover{});
    return system;
}

}  // namespace

TEST_CASE("a restraint holds particles with mass", "[app][stages]") {
    auto system = three_particles(true);
    PositionRestraint const restraint{.name = "ca", .atoms = "all", .force_constant = 400};
    std::vector<Vec3<>> const reference{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    add_restraint(system, restraint, {0, 1, 2}, reference, 1, 0.25);
    auto const& force = system.forces<CustomExternalForce>().back();
    CHECK_THAT(force.energy.formula(), Contains("periodicdistance"));
    REQUIRE(force.affected.size() == 2);
    CHECK(force.affected[1].particle == 2);
    CHECK(force.affected[1].parameters == std::vector<double>{400, 7, 8, 9});
    REQUIRE(force.global_parameters.size() == 2);
    CHECK(force.global_parameters[0].name == "restraint_scale");
    CHECK(force.global_parameters[1].name == "restraint_ca");
    CHECK(force.global_parameters[1].default_value == 0.25);

    auto open = three_particles(false);
    add_restraint(open, restraint, {0}, reference);
    CHECK(open.forces<CustomExternalForce>().back().energy.formula().find("periodicdistance") == std::string::npos);

    auto wrong = restraint;
    wrong.force_constant = -1;
    CHECK_THAT(message_of<InputError>([&] { add_restraint(system, wrong, {0}, reference); }),
               Contains("restraint ca: k is -1, expected"));
    CHECK_THAT(message_of<InputError>([&] { add_restraint(system, restraint, {3}, reference); }),
               Contains("restraint ca: there is no atom 3, expected 0 to 2"));
    CHECK_THAT(message_of<InputError>([&] { add_restraint(system, restraint, {0}, {{1, 2, 3}}); }),
               Contains("its reference has 1 positions, expected 3"));
    CHECK_THAT(message_of<InputError>([&] { add_restraint(system, DistanceRestraint{.name = "d"}, {0}, {1}); }),
               Contains("restraint d: a set has no atom with mass"));
}

TEST_CASE("a stage's barostat takes the place of the System's", "[app][stages]") {
    auto const given = three_particles(true);
    auto system = without_barostats(given);
    CHECK(system.force_count() == 2);
    CHECK(system.forces<MonteCarloBarostat>().empty());
    CHECK(system.forces<CMMotionRemover>().size() == 1);
    CHECK(system.particle_count() == 3);

    Stage stage{.name = "npt", .temperature = Ramp({{0, 10}, {5, 300}}), .pressure = Ramp(1)};
    add_barostat(system, stage);
    REQUIRE(system.forces<MonteCarloBarostat>().size() == 1);
    CHECK(system.forces<MonteCarloBarostat>()[0].pressure == 1);
    CHECK(system.forces<MonteCarloBarostat>()[0].temperature == 10);
    stage.barostat = StageBarostat::membrane;
    add_barostat(system, stage);
    CHECK(system.forces<MonteCarloMembraneBarostat>().size() == 1);
    stage.barostat = StageBarostat::none;
    add_barostat(system, stage);
    CHECK(system.force_count() == 4);

    auto open = without_barostats(three_particles(false));
    stage.barostat = StageBarostat::isotropic;
    CHECK_THAT(message_of<InputError>([&] { add_barostat(open, stage); }),
               Contains("stage npt has a pressure, but the System is not periodic"));
    stage.temperature = Ramp(0);
    CHECK_THAT(message_of<InputError>([&] { add_barostat(system, stage); }), Contains("no temperature above 0"));
}
