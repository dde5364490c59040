// States in files.
// SPDX-License-Identifier: MIT
#include <catch_compat.hpp>

#include <cmath>

#include <trotter/error.hpp>
#include <trotter/io/state.hpp>

#include "io/scratch.hpp"

using namespace trotter;
using testing::message_of;

namespace {

bool says(std::string_view message, std::string_view part) { return message.find(part) != message.npos; }
std::string state_text(std::string const& children, std::string const& attributes = "time=\"1.5\"") {
    return "<State type=\"State\" version=\"1\" " + attributes + ">\n" + children + "\n</State>\n";
}
std::string refusal(std::string const& text) {
    return message_of<InputError>([&] { (void)parse_state(text, "x.xml"); });
}
State sample() {
    State state{.time = 0.1 + 0.2, .step_count = std::int64_t{1} << 40, .box = Box::rectangular(3, 4, 5)};
    state.positions = {{0.1, -0.0, 1e-308}, {1. / 3, 2, 3}};
    state.velocities = {{1, 2, 3}, {4, 5, 6}};
    state.forces = {{std::nan(""), 0, 0}, {1, 1, 1}};
    state.potential_energy = -1e300;
    state.kinetic_energy = 5e-324;
    state.parameters = {{"lambda", 0.7}, {"limit", std::numeric_limits<double>::infinity()}};
    return state;
}

}  // namespace

TEST_CASE("A State keeps every bit of every number") {
    auto const state = sample();
    auto const again = parse_state(state_to_xml(state));
    CHECK(again.time == state.time);
    CHECK(again.step_count == state.step_count);
    CHECK(again.box == state.box);
    CHECK(again.positions == state.positions);
    CHECK(std::signbit(again.positions[0].y));
    CHECK(again.velocities == state.velocities);
    CHECK(std::isnan(again.forces[0].x));
    CHECK(again.forces[1] == state.forces[1]);
    CHECK(again.potential_energy == state.potential_energy);
    CHECK(again.kinetic_energy == state.kinetic_energy);
    CHECK(again.parameters == state.parameters);
    CHECK_FALSE(again.integrator_parameters);
    testing::ScratchFolder const folder;
    write_state(folder / "state.xml.gz", state);
    CHECK(state_to_xml(read_state(folder / "state.xml.gz")) == state_to_xml(state));
    CHECK_THROWS_AS(read_state(folder / "state.xml.gz", {.max_bytes = 100}), InputError);
}

TEST_CASE("Parts that a State lacks stay absent") {
    auto const state = parse_state(state_text(""));
    CHECK(state.time == 1.5);
    CHECK(state.step_count == 0);
    CHECK_FALSE(state.box);
    CHECK(state.positions.empty());
    CHECK(std::isnan(state.potential_energy));
    CHECK_FALSE(state.parameters);
    auto const text = state_to_xml(state);
    for (auto const* part : {"Positions", "Energies", "Parameters", "PeriodicBoxVectors"})
        CHECK(text.find(part) == std::string::npos);
}

TEST_CASE("An integrator's variables keep their place in the tree") {
    auto const parameters = [](std::string const& element) {
        return parse_state(state_text(element)).integrator_parameters.value();
    };
    auto const chains = parameters(
        R"(<IntegratorParameters version="1"><Chain><Bead position="1" velocity="2"/>)"
        R"(<Bead position="3" velocity="4"/></Chain><Chain/></IntegratorParameters>)");
    CHECK(chains
          == std::map<std::string, double>{{"IntegratorParameters[0]/Chain[0]/Bead[0]/position", 1},
                                           {"IntegratorParameters[0]/Chain[0]/Bead[0]/velocity", 2},
                                           {"IntegratorParameters[0]/Chain[0]/Bead[1]/position", 3},
                                           {"IntegratorParameters[0]/Chain[0]/Bead[1]/velocity", 4},
                                           {"IntegratorParameters[0]/Chain[1]/", 0}});
    auto const compound = parameters(
        R"(<IntegratorParameters version="1" currentIntegrator="1"><IntegratorParameters/>)"
        R"(<IntegratorParameters version="1"><Chain><Bead position="1" velocity="2"/></Chain>)"
        "</IntegratorParameters></IntegratorParameters>");
    CHECK(compound.at("currentIntegrator") == 1);
    CHECK(compound.count("IntegratorParameters[0]/") == 1);
    for (auto const* index : {"NaN", "1e300", "0.5"})
        CHECK_THROWS_AS(parameters("<IntegratorParameters currentIntegrator=\"" + std::string(index) + "\"/>"), InputError);
    CHECK(compound.at("IntegratorParameters[1]/Chain[0]/Bead[0]/velocity") == 2);
    for (auto const& map : {chains, compound, {}}) {
        State state;
        state.integrator_parameters = map;
        CHECK(parse_state(state_to_xml(state)).integrator_parameters
              == (map.empty() ? NamedNumbers{{"IntegratorParameters[0]/", 0}} : map));
    }
}

TEST_CASE("Elements of an integrator that are not named are written empty, in the order of their index") {
    State state;
    state.integrator_parameters = {{"IntegratorParameters[0]/Chain[2]/Bead[10]/position", 1},
                                   {"IntegratorParameters[0]/Chain[2]/Bead[2]/position", 2}};
    auto const again = parse_state(state_to_xml(state)).integrator_parameters.value();
    CHECK(again.size() == 2 + 2 + 9);  // two empty chains, nine empty beads
    CHECK(again.at("IntegratorParameters[0]/Chain[2]/Bead[10]/position") == 1);
    for (auto const* key : {"velocity", "Chain[0]/x"}) {
        state.integrator_parameters = {{key, 1}};
        CHECK_THROWS_AS(state_to_xml(state), InputError);
    }
    for (std::string const rest : {"Chain[-1]/x", "Chain/x", "Chain[9999999999]/x", "a b", "<[0]/x"}) {
        state.integrator_parameters = {{"IntegratorParameters[0]/" + rest, 1}};
        CHECK(parse_state(state_to_xml(state)).integrator_parameters == state.integrator_parameters);
    }
}

TEST_CASE("A State that makes no sense is refused") {
    CHECK(refusal(state_text(
              "<Positions>\n<Position x=\"0\" y=\"0\" z=\"0\"/>\n<Position x=\"0\" y=\"nan\" z=\"0\"/>\n</Positions>"))
          == "x.xml, line 4, /State/Positions/Position[1]: y is \"nan\", expected a finite number");
    CHECK(says(refusal(state_text("<Velocities><Velocity x=\"0\" y=\"inf\" z=\"0\"/></Velocities>")),
               "y is \"inf\", expected a finite number"));
    CHECK(
        says(refusal(state_text("<Positions><Position x=\"0\" y=\"0\"/></Positions>")), "the attribute z is missing"));
    CHECK(says(refusal(state_text("<Parameters a=\"NaN\"/>")), "a is \"NaN\""));
    CHECK(says(refusal(state_text("<Masses/>")), "/State/Masses: unknown element"));
    CHECK(says(refusal(state_text("<Energies PotentialEnergy=\"1\"/>")), "KineticEnergy is missing"));
    CHECK(says(refusal(state_text("", "")), "the attribute time is missing"));
    CHECK(says(refusal(state_text("", "time=\"0\" stepCount=\"-1\"")), "stepCount is \"-1\""));
    CHECK(says(refusal("<State type=\"State\" version=\"2\" time=\"0\"/>"), "version 2 is newer than 1"));
    CHECK(says(
        refusal(state_text(
            R"(<PeriodicBoxVectors><A x="2" y="0" z="0"/><B x="0" y="2" z="0"/><C x="0" y="0" z="0"/>)"
                                  "</PeriodicBoxVectors>")),
        "must be positive"));
    CHECK(says(refusal(state_text("<IntegratorParameters version=\"2\"/>")), "version 2 is newer than 1"));
}

TEST_CASE("Parameters are read back whatever their names, and names that XML can hold stay attributes") {
    State state;
    state.parameters = {{"two words", 1},  {"k[1]", 2}, {"k'", 3}, {"\"<&>", 4},  {"1st", 5}, {"a:b", 6}, {"tab\tline\n", 7},
                        {"lambda_1.x", 8}, {"λ", 9},    {"×", 10}, {"", 11},      {"a/b", 12}, {"Parameter", 13}};
    state.integrator_parameters = {{"IntegratorParameters[0]/GlobalVariables[0]/", 0},
                                   {"IntegratorParameters[0]/PerDofVariables[0]/", 0}};
    for (auto const& [name, value] : *state.parameters)
        if (!name.empty()) (*state.integrator_parameters)["IntegratorParameters[0]/GlobalVariables[0]/" + name] = value;
    (*state.integrator_parameters)["IntegratorParameters[0]/GlobalVariables[0]/k[3]/x"] = 14;
    auto expected = *state.integrator_parameters;
    expected.erase("IntegratorParameters[0]/GlobalVariables[0]/");  // represents an element without variables
    auto const text = state_to_xml(state);
    auto const again = parse_state(text);
    CHECK(again.parameters == state.parameters);
    CHECK(again.integrator_parameters == expected);
    for (auto const* part : {" lambda_1.x=\"8\"", " λ=\"9\"", "<Parameter name=\"k[1]\" value=\"2\"/>"})
        CHECK(says(text, part));

    for (auto const* name : {"\x01", "\xff", "\xed\xa0\x80"}) {
        state.parameters = {{name, 1}};
        CHECK(says(message_of<InputError>([&] { (void)state_to_xml(state); }), "which XML cannot express"));
    }
    CHECK(says(refusal(state_text("<Parameters a=\"1\"><Parameter name=\"a\" value=\"1\"/></Parameters>")),
               "a name that no earlier parameter has"));
}

TEST_CASE("The type of the root tells what a file holds, its name is free") {
    CHECK(parse_state(R"(<stateCheckpoint type="State" version="1" time="2"/>)").time == 2);
    CHECK(says(refusal(R"(<State type="System" version="1" time="2"/>)"), "type is \"System\", expected \"State\""));
    CHECK(says(refusal("<html/>"), "the root element is <html>, expected <State>"));
}
