// Custom bonded forces (run-time formulas) in files.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/io/system.hpp>
#include <trotter/standard_system.hpp>

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

StandardSystem four_forces() {
    StandardSystem system;
    for (int i = 0; i < 5; ++i) system.add_particle(1);
    system.add(CustomBondForce{.energy = RuntimeExpression("scale*k*(r - length)^2; k = stiffness/2"),
                               .parameter_names = {"length", "stiffness"},
                               .global_parameters = {{"scale", 0.25}, {"unused", 3}},
                               .energy_parameter_derivatives = {"scale"},
                               .bonds = {{0, 1, {1.0 / 3, 100}}, {3, 2, {0.2, 7}}},
                               .force_group = 4,
                               .periodic = true});
    system.add(
        CustomAngleForce{.energy = RuntimeExpression("k*theta"), .parameter_names = {"k"}, .angles = {{4, 1, 0, {2}}}});
    system.add(CustomTorsionForce{
        .energy = RuntimeExpression("cos(theta)"), .torsions = {{0, 1, 2, 3}, {1, 2, 3, 4}}, .label = "my torsions"});
    system.add(CustomExternalForce{
        .energy = RuntimeExpression("q*x - z"), .parameter_names = {"q"}, .affected = {{2, {-1}}, {4, {5}}}});
    return system;
}
std::string replaced(std::string text, std::string const& old, std::string const& by) {
    REQUIRE(text.find(old) != text.npos);
    return text.replace(text.find(old), old.size(), by);
}

}  // namespace

TEST_CASE("forces of terms with a formula of the run time are read as they were written", "[io]") {
    auto const text = system_to_xml(four_forces());
    auto const read = parse_system<StandardForces>(text);
    CHECK(system_to_xml(read) == text);
    auto const& bonds = read.forces<CustomBondForce>().at(0);
    CHECK(bonds.energy.formula() == "scale*k*(r - length)^2; k = stiffness/2");
    CHECK(bonds.parameter_names == std::vector<std::string>{"length", "stiffness"});
    CHECK(bonds.global_parameters.at(0).default_value == 0.25);
    CHECK(bonds.energy_parameter_derivatives == std::vector<std::string>{"scale"});
    CHECK(bonds.bonds.at(0).parameters == std::vector<double>{1.0 / 3, 100});
    CHECK(bonds.bonds.at(1).particle1 == 3);
    CHECK(bonds.periodic);
    CHECK(bonds.force_group == 4);
    CHECK(read.forces<CustomTorsionForce>().at(0).label == "my torsions");
    CHECK(read.forces<CustomExternalForce>().at(0).affected.at(1).particle == 4);
}
TEST_CASE("earlier versions of forces with a formula of the run time are read", "[io]") {
    auto const first =
        replaced(replaced(system_to_xml(four_forces()), "version=\"3\"", "version=\"1\""), "usesPeriodic=\"1\"", "");
    auto const begin = first.find("<EnergyParameterDerivatives>"), end = first.find("<Bonds>");
    CHECK_THROWS_WITH(parse_system<StandardForces>(first), Contains("expected version 3 or newer"));
    auto const alone = std::string(first).erase(begin, end - begin);
    CHECK_FALSE(parse_system<StandardForces>(alone).forces<CustomBondForce>().at(0).periodic);
    CHECK_THROWS_WITH(parse_system<StandardForces>(replaced(alone, "version=\"1\" energy=\"scale", "version=\"3\" usesPeriodic=\"0\" energy=\"scale")),
                      Contains("<EnergyParameterDerivatives> is missing"));
}
TEST_CASE("what is wrong in a force with a formula of the run time is refused by line", "[io]") {
    auto const text = system_to_xml(four_forces());
    auto const refused = [&](std::string const& old, std::string const& by) {
        try {
            parse_system<StandardForces>(replaced(text, old, by));
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    CHECK_THAT(refused("(r - length)^2", "(r - length^2"), Contains("energy") && Contains("column"));
    CHECK_THAT(refused("cos(theta)", "cosine(theta)"), Contains("cosine"));
    CHECK_THAT(refused(" param2=\"100\"", ""), Contains("/Bonds/Bond[0]") && Contains("param2"));
    CHECK_THAT(refused(" param2=\"100\"", " param3=\"100\""), Contains("param3"));
    CHECK_THAT(refused("p2=\"2\"", "p2=\"5\""), Contains("p2") && Contains("5"));
    CHECK_THAT(refused("index=\"4\"", "index=\"-1\""), Contains("index") && Contains("-1"));
    CHECK_THAT(refused("<EnergyParameterDerivatives>\n\t\t\t\t<Parameter name=\"scale\"/>",
                       "<EnergyParameterDerivatives>\n\t\t\t\t<Parameter name=\"size\"/>"),
               Contains("size"));
    CHECK_THAT(refused("name=\"unused\"", "name=\"scale\""), Contains("scale"));
}
