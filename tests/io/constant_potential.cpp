// ConstantPotentialForce in files: reading, writing and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>

#include <trotter/io/system.hpp>

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

std::string const particles = R"(<Particles><Particle q="1"/><Particle q="0"/><Particle q="-.5"/></Particles>)";
std::string const text =
    R"(<Force type="ConstantPotentialForce" version="1" name="plates" forceGroup="2" alpha="3" nx="20" ny="21" nz="22" cutoff=".8" )"
    R"(ewaldTolerance=".001" exceptionsUsePeriodic="1" cgTolerance=".01" constantPotentialMethod="1" usePreconditioner="0" )"
    R"(useChargeConstraint="1" chargeConstraintTarget=".25"><ExternalField x="1" y="2" z="3"/>)"
    + particles + R"(<Exceptions><Exception p1="0" p2="2" q=".125"/></Exceptions><Electrodes>)"
    + R"(<Electrode potential="7" gaussianWidth=".1" thomasFermiScale="2"><Particles><Particle index="1"/></Particles></Electrode>)"
    + "</Electrodes></Force>";

System<ForceList<ConstantPotentialForce>> read(std::string const& force) {
    return parse_system<ForceList<ConstantPotentialForce>>(
        R"(<System openmmVersion="8" type="System" version="1"><PeriodicBoxVectors><A x="2" y="0" z="0"/>)"
        R"(<B x="0" y="2" z="0"/><C x="0" y="0" z="2"/></PeriodicBoxVectors><Particles><Particle mass="0"/>)"
        R"(<Particle mass="0"/><Particle mass="0"/></Particles><Constraints/><Forces>)"
        + force + "</Forces></System>");
}
void refused(std::string const& from, std::string const& to, std::string const& message) {
    auto changed = text;
    auto const at = changed.find(from);
    REQUIRE(at != std::string::npos);
    CHECK_THROWS_WITH(read(changed.replace(at, from.size(), to)), Contains(message));
}

}  // namespace

TEST_CASE("a ConstantPotentialForce in a file", "[io]") {
    auto const system = read(text);
    auto const force = system.forces<ConstantPotentialForce>().at(0);
    CHECK(force.label == "plates");
    CHECK(force.force_group == 2);
    CHECK(force.method == ConstantPotentialForce::Method::matrix);
    CHECK(force.pme.alpha == 3);
    CHECK(force.pme.nz == 22);
    CHECK(force.cutoff_distance == 0.8);
    CHECK(force.ewald_error_tolerance == 0.001);
    CHECK(force.exceptions_use_periodic);
    CHECK(force.gradient_tolerance == 0.01);
    CHECK_FALSE(force.use_preconditioner);
    CHECK(force.use_charge_constraint);
    CHECK(force.total_charge == 0.25);
    CHECK(force.external_field == Vec3<>{1, 2, 3});
    CHECK(force.charges == std::vector<double>{1, 0, -0.5});
    REQUIRE(force.exceptions.size() == 1);
    CHECK(force.exceptions[0].particle2 == 2);
    CHECK(force.exceptions[0].charge_product == 0.125);
    REQUIRE(force.electrodes.size() == 1);
    CHECK(force.electrodes[0].particles == std::vector<int>{1});
    CHECK(force.electrodes[0].potential == 7);
    CHECK(force.electrodes[0].gaussian_width == 0.1);
    CHECK(force.electrodes[0].thomas_fermi_scale == 2);
    auto const once = system_to_xml(system);
    CHECK(once == system_to_xml(parse_system<ForceList<ConstantPotentialForce>>(once)));
}

TEST_CASE("a ConstantPotentialForce in a file need not say anything of its mesh", "[io]") {
    auto without = text;
    std::string const mesh = R"(alpha="3" nx="20" ny="21" nz="22")";
    without.erase(without.find(mesh), mesh.size());
    auto const force = read(without).forces<ConstantPotentialForce>().at(0);
    CHECK(force.pme.alpha == 0);
    CHECK(force.pme.nx == 0);
}

TEST_CASE("a ConstantPotentialForce is refused where something in it is wrong", "[io]") {
    refused(R"(version="1" name)", R"(version="2" name)", "version");
    refused(R"(index="1")", R"(index="3")", R"(index is "3", expected an integer from 0 to 2)");
    refused(R"(p2="2")", R"(p2="-1")", R"(p2 is "-1", expected an integer from 0 to 2)");
    refused(R"(gaussianWidth=".1")", R"(gaussianWidth="-.1")", "gaussianWidth is \"-.1\", expected a positive number");
    refused(R"(thomasFermiScale="2")", R"(thomasFermiScale="-2")", "expected a number that is not negative");
    refused(R"(constantPotentialMethod="1")", R"(constantPotentialMethod="2")", "expected an integer from 0 to 1");
    refused("<Electrodes>", "<Electrodes><Plate/>", "Plate");
    refused("cutoff=\".8\"", "", "cutoff");
}
