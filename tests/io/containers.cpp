// CustomCVForce and ATMForce in files: round trips with nested forces, and invalid input.
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
std::string const bond =
    R"(<Force type="HarmonicBondForce" version="2" name="mine" forceGroup="3" usesPeriodic="1"><Bonds><Bond p1="0" p2="2" d=".5" k="7"/></Bonds></Force>)";
std::string const remover = R"(<Force type="CMMotionRemover" version="1" forceGroup="0" frequency="1"/>)";
std::string const parameters = R"(<GlobalParameters><Parameter name="k" default=".5"/></GlobalParameters>)"
                               R"(<EnergyParameterDerivatives><Parameter name="k"/></EnergyParameterDerivatives>)";
std::string atm(std::string const& inner) {
    return R"(<Force type="ATMForce" version="0" name="both" forceGroup="1" energy="u0+k*u1">)" + parameters
           + "<Forces><Force>" + inner + "</Force><Force>" + remover + "</Force></Forces><Particles>"
           + R"(<Particle type="fixed" d0x="1" d0y="2" d0z="3" d1x="4" d1y="5" d1z="6" pi0="-1" pi1="-1" pj0="-1" pj1="-1"/>)"
           + R"(<Particle type="offset" d0x="0" d0y="0" d0z="0" d1x="0" d1y="0" d1z="0" pi0="-1" pi1="2" pj0="-1" pj1="1"/>)"
           + R"(<Particle type="offset" d0x="0" d0y="0" d0z="0" d1x="0" d1y="0" d1z="0" pi0="0" pi1="2" pj0="2" pj1="0"/>)"
           + "</Particles></Force>";
}
std::string cv(std::string const& first, std::string const& second) {
    return R"x(<Force type="CustomCVForce" version="0" name="CustomCVForce" forceGroup="2" energy="k*a^2+t(b)">)x"
           + parameters + R"(<CollectiveVariables><CollectiveVariable name="a">)" + first
           + R"(</CollectiveVariable><CollectiveVariable name="b">)" + second
           + "</CollectiveVariable></CollectiveVariables>"
           + R"(<Functions><Function type="Discrete1DFunction" version="1" name="t"><Values><Value v="1"/></Values></Function></Functions></Force>)";
}
StandardSystem read(std::string const& force) { return parse_system<StandardForces>(system_with(force)); }

}  // namespace

TEST_CASE("containers are read with all that they hold, and written so that they read the same", "[io]") {
    auto const system = read(cv(bond, atm(cv(bond, remover))));
    auto const outer = system.forces<CustomCVForce>().at(0);
    CHECK(outer.variable_names == std::vector<std::string>{"a", "b"});
    CHECK(outer.energy.formula() == "k*a^2+t(b)");
    CHECK(outer.tabulated_functions.at(0).name == "t");
    CHECK(outer.global_parameters.at(0).default_value == 0.5);
    CHECK(outer.energy_parameter_derivatives == std::vector<std::string>{"k"});
    CHECK(outer.force_group == 2);
    REQUIRE(outer.variables->force_count() == 2);
    CHECK(outer.variables->forces<HarmonicBondForce>().at(0).label == "mine");
    CHECK(outer.variables->forces<HarmonicBondForce>()[0].force_group == 3);
    auto const states = outer.variables->forces<ATMForce>().at(0);
    CHECK(states.label == "both");
    REQUIRE(states.particles.size() == 3);
    auto const& fixed = std::get<FixedDisplacement>(states.particles[0]);
    CHECK(fixed.in_state0 == Vec3<>{1, 2, 3});
    CHECK(fixed.in_state1 == Vec3<>{4, 5, 6});
    auto const& offset = std::get<ParticleOffsetDisplacement>(states.particles[2]);
    CHECK(offset.destination1 == 0);
    CHECK(offset.origin1 == 2);
    CHECK(offset.destination0 == 2);
    CHECK(offset.origin0 == 0);
    CHECK(states.forces->forces<CustomCVForce>().at(0).variables->forces<HarmonicBondForce>().at(0).bonds.at(0).k == 7);
    auto const text = system_to_xml(system), again = system_to_xml(parse_system<StandardForces>(text));
    CHECK(again == text);
    CHECK_THAT(text, Contains(R"(type="offset")"));
}

TEST_CASE("containers are refused where something in them is wrong", "[io]") {
    auto const refused = [](std::string const& force, std::string const& from, std::string const& to,
                            std::string const& with) {
        CHECK_THROWS_WITH(read(replaced(force, from, to)), Contains(with));
    };
    auto const force = cv(bond, atm(bond));
    refused(force, R"(name="b")", R"(name="a")", "a name that no earlier collective variable has");
    refused(force, R"(p2="2")", R"(p2="3")",
            R"(Force/CollectiveVariables/CollectiveVariable[0]/Force/Bonds/Bond: p2 is "3")");
    refused(force, R"(type="HarmonicBondForce")", R"(type="HarmonicForce")", "one of the forces that are known here");
    refused(force, R"(version="0" name="Custom)", R"(version="1" name="Custom)", "version");
    refused(force, R"(energy="k*a^2)", R"(energy="k*a^)", "energy cannot be read");
    refused(force, "<CollectiveVariables>", "<CollectiveVariables><Other/>", "Other");
    refused(force, bond, bond + bond, "Force");
    refused(force, R"(type="fixed")", R"(type="free")", "\"fixed\" or \"offset\"");
    refused(force, R"(pi1="2")", R"(pi1="3")", R"(pi1 is "3")");
    refused(force, R"(<Parameter name="k"/>)", R"(<Parameter name="q"/>)",
            "the name of one of the force's global parameters");
}
