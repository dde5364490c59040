// CustomGBForce in files: a round trip, the early version, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>

#include <trotter/io/system.hpp>

using namespace trotter;
using Catch::Matchers::Contains;
using Kind = CustomGBForce::Kind;

namespace {

struct Parts {
    std::string head = R"(version="2" method="2" cutoff=".9")";
    std::string derivatives = R"(<EnergyParameterDerivatives><Parameter name="c"/></EnergyParameterDerivatives>)";
    std::string values = R"x(<ComputedValues><Value name="v" expression="c*q2*t(r)" type="2"/>)x"
                         R"(<Value name="w" expression="v^2+x*q" type="0"/></ComputedValues>)";
    std::string terms = R"(<EnergyTerms><Term expression="w1*w2/r" type="1"/></EnergyTerms>)";
    std::string particles = R"(<Particles><Particle param1="1"/><Particle param1=".5"/></Particles>)";
    std::string exclusions = R"(<Exclusions><Exclusion p1="1" p2="0"/></Exclusions>)";

    std::string text() const {
        return R"(<System openmmVersion="8" type="System" version="1"><PeriodicBoxVectors><A x="2" y="0" z="0"/>)"
               R"(<B x="0" y="2" z="0"/><C x="0" y="0" z="2"/></PeriodicBoxVectors><Particles><Particle mass="1"/>)"
               R"(<Particle mass="1"/></Particles><Constraints/><Forces><Force type="CustomGBForce" name="mine" forceGroup="3" )"
               + head + R"(><PerParticleParameters><Parameter name="q"/></PerParticleParameters><GlobalParameters>)"
               + R"(<Parameter name="c" default=".5"/></GlobalParameters>)" + derivatives + values + terms + particles
               + exclusions + R"(<Functions><Function type="Discrete1DFunction" version="1" name="t"><Values>)"
               + R"(<Value v="1"/></Values></Function></Functions></Force></Forces></System>)";
    }
    CustomGBForce force() const { return parse_system<StandardForces>(text()).forces<CustomGBForce>().at(0); }
};

}  // namespace

TEST_CASE("a CustomGBForce is read with everything it holds, and written so that it reads the same", "[io]") {
    auto const system = parse_system<StandardForces>(Parts{}.text());
    auto const& force = system.forces<CustomGBForce>().at(0);
    CHECK(force.force_group == 3);
    CHECK(force.label == "mine");
    CHECK(force.pairs
          == PairSettings{
              .method = PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.9, .exclusions = {{1, 0}}});
    CHECK(force.parameter_names == std::vector<std::string>{"q"});
    CHECK(force.particles == std::vector<std::vector<double>>{{1}, {0.5}});
    CHECK(force.global_parameters.at(0).default_value == 0.5);
    CHECK(force.energy_parameter_derivatives == std::vector<std::string>{"c"});
    REQUIRE(force.computed_values.size() == 2);
    CHECK(force.computed_values[0].name == "v");
    CHECK(force.computed_values[0].expression.formula() == "c*q2*t(r)");
    CHECK(force.computed_values[0].kind == Kind::particle_pair_no_exclusions);
    CHECK(force.computed_values[1].kind == Kind::single_particle);
    REQUIRE(force.energy_terms.size() == 1);
    CHECK(force.energy_terms[0].expression.formula() == "w1*w2/r");
    CHECK(force.energy_terms[0].kind == Kind::particle_pair);
    CHECK(force.tabulated_functions.at(0).name == "t");
    auto const text = system_to_xml(system);
    auto const again = parse_system<StandardForces>(text);
    CHECK(again.forces<CustomGBForce>().at(0).particles == force.particles);
    CHECK(again.forces<CustomGBForce>().at(0).computed_values[0].expression == force.computed_values[0].expression);
    CHECK(system_to_xml(again) == text);
}

TEST_CASE("the early version of a CustomGBForce has no derivatives", "[io]") {
    Parts parts{.derivatives = ""};
    CHECK_THROWS_WITH(parts.force(), Contains("EnergyParameterDerivatives"));
    parts.head = R"(version="1" method="0" cutoff="1")";
    CHECK(parts.force().energy_parameter_derivatives.empty());
    parts.derivatives = Parts{}.derivatives;
    CHECK_THROWS_WITH(parts.force(), Contains("expected version 2 or newer"));
    parts.head = R"(version="3" method="0" cutoff="1")";
    CHECK_THROWS_WITH(parts.force(), Contains("version"));
}

TEST_CASE("what is wrong in a CustomGBForce is refused with its place", "[io]") {
    auto const refused = [](Parts const& parts, auto const& what) { CHECK_THROWS_WITH(parts.force(), what); };
    refused({.head = R"(version="2" method="3" cutoff="1")"}, Contains("method is \"3\""));
    refused({.values = R"(<ComputedValues><Value name="v" expression="q+" type="0"/></ComputedValues>)"},
            Contains("ComputedValues/Value: expression") && Contains("column 3"));
    refused({.values = R"(<ComputedValues><Value name="v" expression="q" type="3"/></ComputedValues>)"},
            Contains("ComputedValues/Value: type is \"3\""));
    refused({.terms = R"x(<EnergyTerms><Term expression="f(q)" type="0"/></EnergyTerms>)x"},
            Contains("EnergyTerms/Term: expression") && Contains("unknown function 'f'"));
    refused({.particles = R"(<Particles><Particle param1="1"/></Particles>)"}, Contains("has 1 particles, expected 2"));
    refused({.exclusions = R"(<Exclusions><Exclusion p1="0" p2="2"/></Exclusions>)"}, Contains("p2 is \"2\""));
    refused({.derivatives = R"(<EnergyParameterDerivatives><Parameter name="q"/></EnergyParameterDerivatives>)"},
            Contains("EnergyParameterDerivatives"));
}
