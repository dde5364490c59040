// CustomNonbondedForce in files: all versions, invalid and unsupported input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/io/system.hpp>

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

struct Parts {
    std::string version = "3";
    std::string energy = "scale*a1*a2/r + b1*b2";
    std::string settings =
        R"(method="2" cutoff=".9" useSwitchingFunction="1" switchingDistance=".7" useLongRangeCorrection="1")";
    std::string per_particle =
        R"(<PerParticleParameters><Parameter name="a"/><Parameter name="b"/></PerParticleParameters>)";
    std::string globals = R"(<GlobalParameters><Parameter name="scale" default=".5"/></GlobalParameters>)";
    std::string derivatives =
        R"(<EnergyParameterDerivatives><Parameter name="scale"/></EnergyParameterDerivatives>)"
        R"(<ComputedValues><Value name="c" expression="2*a*scale"/></ComputedValues>)";
    std::string particles =
        R"(<Particles><Particle param1="1" param2="2"/><Particle param1="3" param2=".1"/></Particles>)";
    std::string exclusions = R"(<Exclusions><Exclusion p1="1" p2="0"/></Exclusions>)";
    std::string functions = "<Functions/>";
    std::string groups =
        R"(<InteractionGroups><InteractionGroup><Set1><Particle index="0"/><Particle index="1"/></Set1><Set2>)"
        R"(<Particle index="1"/></Set2></InteractionGroup></InteractionGroups>)";

    std::string text() const {
        return R"(<System openmmVersion="8" type="System" version="1"><PeriodicBoxVectors><A x="2" y="0" z="0"/>)"
               R"(<B x="0" y="2" z="0"/><C x="0" y="0" z="2"/></PeriodicBoxVectors><Particles><Particle mass="1"/>)"
               R"(<Particle mass="1"/></Particles><Constraints/><Forces><Force type="CustomNonbondedForce" )"
               R"(name="mine" forceGroup="3" version=")"
               + version + "\" energy=\"" + energy + "\" " + settings + ">" + per_particle + globals + derivatives
               + particles + exclusions + functions + groups + "</Force></Forces></System>";
    }
    CustomNonbondedForce force() const {
        return parse_system<StandardForces>(text()).forces<CustomNonbondedForce>().at(0);
    }
};

}  // namespace

TEST_CASE("a CustomNonbondedForce is read with everything it holds, and written so that it reads the same", "[io]") {
    auto const system = parse_system<StandardForces>(Parts{}.text());
    auto const& force = system.forces<CustomNonbondedForce>().at(0);
    CHECK(force.energy.formula() == "scale*a1*a2/r + b1*b2");
    CHECK(force.parameter_names == std::vector<std::string>{"a", "b"});
    CHECK(force.particles == std::vector<std::vector<double>>{{1, 2}, {3, 0.1}});
    REQUIRE(force.global_parameters.size() == 1);
    CHECK(force.global_parameters[0].name == "scale");
    CHECK(force.global_parameters[0].default_value == 0.5);
    CHECK(force.energy_parameter_derivatives == std::vector<std::string>{"scale"});
    CHECK(force.pairs
          == PairSettings{.method = PairSettings::Method::cutoff_periodic,
                          .cutoff_distance = 0.9,
                          .use_switching_function = true,
                          .switching_distance = 0.7,
                          .use_long_range_correction = true,
                          .exclusions = {{1, 0}}});
    REQUIRE(force.computed_values.size() == 1);
    CHECK(force.computed_values[0].name == "c");
    CHECK(force.computed_values[0].expression.formula() == "2*a*scale");
    REQUIRE(force.interaction_groups.size() == 1);
    CHECK(force.interaction_groups[0].set1 == std::set{0, 1});
    CHECK(force.interaction_groups[0].set2 == std::set{1});
    CHECK(force.force_group == 3);
    CHECK(force.label == "mine");
    auto const text = system_to_xml(system);
    auto const again = parse_system<StandardForces>(text);
    CHECK(again.forces<CustomNonbondedForce>().at(0).pairs == force.pairs);
    CHECK(again.forces<CustomNonbondedForce>().at(0).particles == force.particles);
    CHECK(system_to_xml(again) == text);
}

TEST_CASE("early versions of a CustomNonbondedForce lack lists and settings", "[io]") {
    Parts parts{.version = "1", .derivatives = "", .groups = ""};
    parts.settings = R"(method="1" cutoff="1")";
    CHECK(parts.force().energy_parameter_derivatives.empty());
    CHECK_FALSE(parts.force().pairs.use_switching_function);
    CHECK(parts.force().pairs.method == PairSettings::Method::cutoff_non_periodic);
    parts.version = "2";
    CHECK_THROWS_WITH(parts.force(), Contains("EnergyParameterDerivatives"));
    parts.derivatives = R"(<EnergyParameterDerivatives><Parameter name="scale"/></EnergyParameterDerivatives>)";
    CHECK(parts.force().energy_parameter_derivatives.size() == 1);
    parts.version = "1";
    CHECK_THROWS_WITH(parts.force(), Contains("expected version 2 or newer"));
    parts.version = "3";
    CHECK_THROWS_WITH(parts.force(), Contains("ComputedValues"));
    parts.version = "4";
    CHECK_THROWS_WITH(parts.force(), Contains("version"));
}

TEST_CASE("what is wrong in a CustomNonbondedForce is refused with its place", "[io]") {
    auto const refused = [](auto const& change) {
        return [change] {
            Parts parts;
            change(parts);
            parts.force();
        };
    };
    CHECK_NOTHROW(refused([](Parts&) {})());
    CHECK_THROWS_WITH(refused([](Parts& p) { p.energy = "a1*a2 $ r"; })(),
                      Contains("/System/Forces/Force: energy") && Contains("column 7"));
    CHECK_THROWS_WITH(refused([](Parts& p) { p.energy = "fn(r)"; })(), Contains("unknown function 'fn' at column 1"));
    CHECK_THROWS_WITH(refused([](Parts& p) { p.particles = "<Particles/>"; })(),
                      Contains("has 0 particles, expected 2"));
    CHECK_THROWS_WITH(refused([](Parts& p) {
                          p.particles = R"(<Particles><Particle param1="1" param2="2"/>)"
                                        R"(<Particle param1="3"/></Particles>)";
                      })(),
                      Contains("Particle[1]") && Contains("param2"));
    CHECK_THROWS_WITH(refused([](Parts& p) {
                          p.particles = R"(<Particles><Particle param1="1" param2="2" param3="2"/></Particles>)";
                      })(),
                      Contains("Particles/Particle:") && Contains("param3"));
    CHECK_THROWS_WITH(refused([](Parts& p) {
                          p.per_particle = R"(<PerParticleParameters><Parameter name="a"/><Parameter name="a"/>)"
                                           "</PerParticleParameters>";
                      })(),
                      Contains("Parameter[1]") && Contains("no earlier element"));
    CHECK_THROWS_WITH(refused([](Parts& p) { p.globals = "<GlobalParameters/>"; })(),
                      Contains("EnergyParameterDerivatives") && Contains("scale"));
    CHECK_THROWS_WITH(refused([](Parts& p) {
                          p.exclusions = R"(<Exclusions><Exclusion p1="0" p2="2"/></Exclusions>)";
                      })(),
                      Contains("Exclusions/Exclusion: p2 is \"2\""));
    CHECK_THROWS_WITH(refused([](Parts& p) {
                          p.derivatives = R"(<EnergyParameterDerivatives/><ComputedValues>)"
                                          R"(<Value name="c" expression="a+"/></ComputedValues>)";
                      })(),
                      Contains("ComputedValues/Value: expression") && Contains("column 3"));
    CHECK_THROWS_WITH(refused([](Parts& p) {
                          p.groups = R"(<InteractionGroups><InteractionGroup><Set1><Particle index="2"/></Set1>)"
                                     "<Set2/></InteractionGroup></InteractionGroups>";
                      })(),
                      Contains("Set1/Particle: index is \"2\""));
    CHECK_THROWS_WITH(refused([](Parts& p) { p.settings = R"(method="3" cutoff="1")"; })(), Contains("method"));
}

TEST_CASE("tabulated functions are read in all their types, and written so that they read the same", "[io]") {
    std::string const values3 = R"(<Values><Value v="1"/><Value v="2"/><Value v="1"/></Values>)",
                      values4 = R"(<Values><Value v="1"/><Value v="2"/><Value v="3"/><Value v="4"/></Values>)";
    std::string eight;
    for (int i = 0; i < 8; ++i) eight += "<Value v=\"" + std::to_string(i) + "\"/>";
    Parts const parts{
        .energy = "a(r) + b(a1, a2)*c(a1*a2, r, r) + d(a1)*d(a2) + e(a1, a2) + f(1, r, a1*a2) + old(r)",
        .functions = R"(<Functions><Function type="Continuous1DFunction" version="2" name="a" periodic="1" min=".5" max="2">)" + values3
                     + R"(</Function><Function type="Continuous2DFunction" version="1" name="b" xsize="2" ysize="2" xmin="0" xmax="1" ymin="-1" ymax="1">)"
                     + values4
                     + R"(</Function><Function type="Continuous3DFunction" version="2" name="c" periodic="0" xsize="2" ysize="2" zsize="2" xmin="0" )"
                       R"(xmax="1" ymin="-1" ymax="1" zmin="0" zmax="3"><Values>)"
                     + eight + R"(</Values></Function><Function type="Discrete1DFunction" version="1" name="d">)" + values3
                     + R"(</Function><Function type="Discrete2DFunction" version="1" name="e" xsize="2" ysize="2">)" + values4
                     + R"(</Function><Function type="Discrete3DFunction" version="1" name="f" xsize="2" ysize="2" zsize="2"><Values>)" + eight
                     + R"(</Values></Function><Function name="old" min="0" max="3">)" + values4 + "</Function></Functions>"};
    auto const system = parse_system<StandardForces>(parts.text());
    auto const& tables = system.forces<CustomNonbondedForce>().at(0).tabulated_functions;
    REQUIRE(tables.size() == 7);
    CHECK(tables[0] == TabulatedFunction{"a", {3}, {{0.5, 2}}, true, {1, 2, 1}});
    CHECK(tables[1] == TabulatedFunction{"b", {2, 2}, {{0, 1}, {-1, 1}}, false, {1, 2, 3, 4}});
    CHECK(tables[2] == TabulatedFunction{"c", {2, 2, 2}, {{0, 1}, {-1, 1}, {0, 3}}, false, {0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(tables[3] == TabulatedFunction{"d", {3}, {}, false, {1, 2, 1}});
    CHECK(tables[4] == TabulatedFunction{"e", {2, 2}, {}, false, {1, 2, 3, 4}});
    CHECK(tables[5] == TabulatedFunction{"f", {2, 2, 2}, {}, false, {0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(tables[6] == TabulatedFunction{"old", {4}, {{0, 3}}, false, {1, 2, 3, 4}});
    auto const text = system_to_xml(system);
    auto const again = parse_system<StandardForces>(text);
    CHECK(again.forces<CustomNonbondedForce>().at(0).tabulated_functions == tables);
    CHECK(system_to_xml(again) == text);
}

TEST_CASE("what is wrong in a tabulated function is refused with its place", "[io]") {
    auto const refused = [](std::string const& function) { Parts{.functions = "<Functions>" + function + "</Functions>"}.force(); };
    std::string const values = R"(<Values><Value v="1"/><Value v="2"/></Values></Function>)";
    CHECK_THROWS_WITH(refused(R"(<Function type="Cubic" version="1" name="a">)" + values),
                      Contains("Functions/Function: type is \"Cubic\", expected Continuous1DFunction"));
    CHECK_THROWS_WITH(refused(R"(<Function type="Discrete1DFunction" version="2" name="a">)" + values), Contains("version"));
    CHECK_THROWS_WITH(refused(R"(<Function type="Discrete1DFunction" version="1" name="a" min="0">)" + values), Contains("min"));
    CHECK_THROWS_WITH(refused(R"(<Function type="Continuous1DFunction" version="2" name="a" min="0" max="1">)" + values), Contains("periodic"));
    CHECK_THROWS_WITH(refused(R"(<Function type="Continuous1DFunction" version="2" name="a" periodic="1" min="0" max="1">)" + values),
                      Contains("the tabulated function 'a' has 2 values along argument 1, expected at least 3 where it is periodic"));
    CHECK_THROWS_WITH(refused(R"(<Function type="Discrete2DFunction" version="1" name="a" xsize="2" ysize="2">)" + values),
                      Contains("has 2 values, expected 4"));
    CHECK_THROWS_WITH(refused(R"(<Function type="Discrete1DFunction" version="1" name="a">)" + values
                              + R"(<Function type="Discrete1DFunction" version="1" name="a">)" + values),
                      Contains("/Functions: tabulated functions 0 and 1 have the same name 'a'"));
}
