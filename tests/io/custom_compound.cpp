// CustomCompoundBondForce and CustomCentroidBondForce in files: round trips, early versions, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>

#include <trotter/io/system.hpp>

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

std::string replaced(std::string text, std::string const& from, std::string const& to) {
    auto const at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}
std::string system_with(std::string const& force) {
    return R"(<System openmmVersion="8" type="System" version="1"><PeriodicBoxVectors><A x="2" y="0" z="0"/><B x="0" y="2" z="0"/>)"
           R"(<C x="0" y="0" z="2"/></PeriodicBoxVectors><Particles><Particle mass="1"/><Particle mass="1"/><Particle mass="1"/></Particles>)"
           "<Constraints/><Forces>"
           + force + "</Forces></System>";
}
std::string const derivatives = R"(<EnergyParameterDerivatives><Parameter name="scale"/></EnergyParameterDerivatives>)";
std::string const lists = R"(<PerBondParameters><Parameter name="k"/></PerBondParameters>)"
                          R"(<GlobalParameters><Parameter name="scale" default=".5"/></GlobalParameters>)"
                          + derivatives;
std::string const functions =
    R"(<Functions><Function type="Discrete1DFunction" version="1" name="t"><Values><Value v="1"/></Values></Function></Functions>)";
std::string const compound =
    R"(<Force type="CustomCompoundBondForce" version="3" name="mine" forceGroup="2" particles="3" usesPeriodic="1" )"
    R"x(energy="scale*k*angle(p1,p2,p3)+t(x1)">)x"
    + lists + R"(<Bonds><Bond p1="2" p2="0" p3="1" param1="2.5"/></Bonds>)" + functions + "</Force>";
std::string const centroid =
    R"(<Force type="CustomCentroidBondForce" version="3" name="mine" forceGroup="2" groups="2" usesPeriodic="0" )"
    R"x(energy="scale*k*distance(g1,g2)+t(x1)">)x"
    + lists
    + R"(<Groups><Group><Particle p="0"/><Particle p="2"/></Group><Group><Particle p="1" weight=".5"/></Group></Groups>)"
      R"(<Bonds><Bond g1="1" g2="0" param1="2.5"/></Bonds>)"
    + functions + "</Force>";

StandardSystem read(std::string const& force) { return parse_system<StandardForces>(system_with(force)); }
template <class F> F only(StandardSystem const& system) { return system.forces<F>().at(0); }

}  // namespace

TEST_CASE("a CustomCompoundBondForce is read with everything it holds, and written so that it reads the same", "[io]") {
    auto const system = read(compound);
    auto const force = only<CustomCompoundBondForce>(system);
    CHECK(force.energy.formula() == "scale*k*angle(p1,p2,p3)+t(x1)");
    CHECK(force.particles_per_bond == 3);
    CHECK(force.periodic);
    CHECK(force.force_group == 2);
    CHECK(force.label == "mine");
    CHECK(force.parameter_names == std::vector<std::string>{"k"});
    CHECK(force.global_parameters.at(0).default_value == 0.5);
    CHECK(force.energy_parameter_derivatives == std::vector<std::string>{"scale"});
    REQUIRE(force.bonds.size() == 1);
    CHECK(force.bonds[0].particles == std::vector<int>{2, 0, 1});
    CHECK(force.bonds[0].parameters == std::vector<double>{2.5});
    CHECK(force.tabulated_functions == std::vector<TabulatedFunction>{{"t", {1}, {}, false, {1}}});
    auto const text = system_to_xml(system);
    auto const again = parse_system<StandardForces>(text);
    CHECK(only<CustomCompoundBondForce>(again).bonds[0].particles == force.bonds[0].particles);
    CHECK(system_to_xml(again) == text);
}

TEST_CASE("a CustomCentroidBondForce is read with everything it holds, and written so that it reads the same", "[io]") {
    auto const system = read(centroid);
    auto const force = only<CustomCentroidBondForce>(system);
    CHECK(force.energy.formula() == "scale*k*distance(g1,g2)+t(x1)");
    CHECK(force.groups_per_bond == 2);
    CHECK_FALSE(force.periodic);
    CHECK(force.groups == std::vector<CustomCentroidBondForce::Group>{{{0, 2}}, {{1}, {0.5}}});
    REQUIRE(force.bonds.size() == 1);
    CHECK(force.bonds[0].groups == std::vector<int>{1, 0});
    CHECK(force.bonds[0].parameters == std::vector<double>{2.5});
    auto const text = system_to_xml(system);
    auto const again = parse_system<StandardForces>(text);
    CHECK(only<CustomCentroidBondForce>(again).groups == force.groups);
    CHECK(system_to_xml(again) == text);
}

TEST_CASE("early versions of compound and centroid bonds know neither periodic images nor derivatives", "[io]") {
    for (auto const* text : {&compound, &centroid}) {
        auto const without = replaced(*text, derivatives, "");
        CHECK_THROWS_WITH(read(without), Contains("<EnergyParameterDerivatives> is missing"));
        auto early = replaced(without, R"(version="3")", R"(version="1")");
        auto const periodic = early.find("usesPeriodic");
        early.erase(periodic, std::string(R"(usesPeriodic="1" )").size());
        CHECK_NOTHROW(read(early));
        CHECK_THROWS_WITH(read(replaced(early, R"(version="1")", R"(version="2")")), Contains("usesPeriodic"));
        CHECK_THROWS_WITH(read(replaced(*text, R"(version="3")", R"(version="2")")), Contains("expected version 3 or newer"));
        CHECK_THROWS_WITH(read(replaced(*text, R"(version="3")", R"(version="4")")), Contains("version"));
    }
    CHECK_THROWS_WITH(read(replaced(replaced(compound, derivatives, ""), R"(version="3")", R"(version="1")")), Contains("usesPeriodic"));
}

TEST_CASE("what is wrong in compound and centroid bonds is refused with its place", "[io]") {
    auto const refuse = [](std::string const& text, std::string const& from, std::string const& to,
                           auto const& message) { CHECK_THROWS_WITH(read(replaced(text, from, to)), message); };
    refuse(compound, R"(particles="3")", R"(particles="0")", Contains("particles is \"0\""));
    refuse(compound, R"(p3="1")", R"(p3="3")", Contains("Bonds/Bond: p3 is \"3\""));
    refuse(compound, R"(p3="1")", "", Contains("Bonds/Bond") && Contains("p3"));
    refuse(compound, R"(p3="1")", R"(p3="1" p4="1")", Contains("p4"));
    refuse(compound, R"(param1="2.5")", "", Contains("param1"));
    refuse(compound, "angle(p1,p2,p3)", "angle(p1,p2)", Contains("takes 3 arguments"));
    refuse(compound, "t(x1)", "u(x1)", Contains("unknown function 'u'") && Contains("pointdihedral"));
    refuse(compound, functions, "", Contains("Functions"));
    refuse(centroid, R"(g1="1")", R"(g1="2")", Contains("Bonds/Bond: g1 is \"2\""));
    refuse(centroid, R"(<Particle p="2"/>)", R"(<Particle p="3"/>)",
           Contains("Groups/Group[0]/Particle[1]: p is \"3\""));
    refuse(centroid, R"(<Particle p="2"/>)", R"(<Particle p="2" weight="1"/>)",
           Contains("Groups/Group[0]: 1 of 2 particles have a weight, expected all or none"));
}
