// Files of Drude oscillators and their integrators, as OpenMM 8.6 writes them.
// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include <trotter/drude/forces.hpp>
#include <trotter/drude/integrators.hpp>
#include <trotter/io/system.hpp>

#include "catch_compat.hpp"

using namespace trotter;

namespace {

std::string const force_text = R"(<Force forceGroup="2" name="dipoles" type="DrudeForce" version="1">
	<Particles>
		<Particle a12="1" a34="5" charge="-1.5" p="1" p1="0" p2="-1" p3="-1" p4="-1" polarizability=".001"/>
		<Particle a12=".8" a34="1.125" charge="1.25" p="2" p1="3" p2="1" p3="0" p4="1" polarizability=".0007"/>
	</Particles>
	<ScreenedPairs>
		<Pair p1="0" p2="1" thole="1.3"/>
	</ScreenedPairs>
</Force>)";
std::string const langevin_text =
    R"(<Integrator constraintTolerance="1e-05" drudeFriction="20" drudeTemperature="1" friction="15" integrationForceGroups="-1" randomSeed="-3" stepSize=".001" temperature="300" type="DrudeLangevinIntegrator" version="1"/>)";
std::string const nose_hoover_text =
    R"(<Integrator chainLength="4" collisionFrequency="20" constraintTolerance="1e-05" integrationForceGroups="5" maximumPairDistance=".02" numMTS="2" numYS="5" relativeCollisionFrequency="25" relativeTemperature="1" stepSize=".001" temperature="300" type="DrudeNoseHooverIntegrator" version="1"/>)";

std::string replaced(std::string text, std::string const& from, std::string const& to) {
    auto const at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}
DrudeForce force_of(std::string text) {
    auto const document = parse_xml(std::move(text), "file");
    return detail::read_force<DrudeForce>(document.root(), 4);
}
std::string text_of(DrudeForce const& force) {
    XmlWriter xml;
    detail::write_force(xml, force);
    return xml.finish();
}
template <class I> I integrator_of(std::string text) {
    auto const document = parse_xml(std::move(text), "file");
    I integrator;
    read(document.root(), integrator);
    return integrator;
}
template <class I> std::string text_of(I const& integrator) {
    XmlWriter xml;
    xml.open("Integrator").attribute("type", I::name);
    write(xml, integrator);
    return xml.finish();
}

}  // namespace

TEST_CASE("A DrudeForce is read and written", "[drude]") {
    auto const force = force_of(force_text);
    CHECK(force.force_group == 2);
    CHECK(force.label == "dipoles");
    REQUIRE(force.particles.size() == 2);
    auto const& second = force.particles[1];
    CHECK(second.drude == 2);
    CHECK(second.parent == 3);
    CHECK(second.particle2 == 1);
    CHECK(second.particle3 == 0);
    CHECK(second.particle4 == 1);
    CHECK(second.charge == 1.25);
    CHECK(second.polarizability == 0.0007);
    CHECK(second.anisotropy12 == 0.8);
    CHECK(second.anisotropy34 == 1.125);
    CHECK(force.screened_pairs.front().thole == 1.3);
    CHECK_FALSE(force.periodic);
    auto const text = text_of(force);
    CHECK_THAT(text, !Catch::Contains("usesPeriodic"));
    CHECK(text_of(force_of(text)) == text);
    auto wrapped = force;
    wrapped.periodic = true;
    CHECK(force_of(text_of(wrapped)).periodic);
}

TEST_CASE("Invalid files of a DrudeForce are refused", "[drude]") {
    auto const refused = [](std::string const& from, std::string const& to, std::string const& message) {
        CHECK_THROWS_WITH(force_of(replaced(force_text, from, to)), Catch::Contains(message));
    };
    refused(R"(version="1")", R"(version="2")", "version");
    refused(R"(p="1")", R"(p="4")", "p is \"4\", expected an integer from 0 to 3");
    refused(R"(p1="0")", R"(p1="-1")", "p1 is \"-1\"");
    refused(R"(p2="-1")", R"(p2="-2")", "p2 is \"-2\", expected an integer from -1 to 3");
    refused(R"(".001")", R"("0")", "polarizability is \"0\", expected a positive number");
    refused(R"(a12=".8")", R"(a12="0")", "a12 is \"0\", expected a positive number");
    refused(R"(a34="1.125")", R"(a34="-1")", "a34 is \"-1\", expected a positive number");
    refused(R"(p2="1" thole)", R"(p2="2" thole)", "p2 is \"2\", expected an integer from 0 to 1");
    refused(R"(thole="1.3")", R"(thole="nan")", "thole");
    refused(R"( thole="1.3")", "", "thole");
    refused("ScreenedPairs>\n\t\t", "Pairs>\n\t\t", "");
}

TEST_CASE("A DrudeLangevinIntegrator is read and written", "[drude]") {
    auto const integrator = integrator_of<DrudeLangevinIntegrator>(langevin_text);
    CHECK(integrator.temperature == 300);
    CHECK(integrator.friction == 15);
    CHECK(integrator.drude_temperature == 1);
    CHECK(integrator.drude_friction == 20);
    CHECK(integrator.step_size == 0.001);
    CHECK(integrator.maximum_drude_distance == 0.02);
    CHECK(static_cast<std::int64_t>(integrator.seed) == -3);
    auto const text = text_of(integrator);
    CHECK_THAT(text, !Catch::Contains("maxDrudeDistance"));
    CHECK(text_of(integrator_of<DrudeLangevinIntegrator>(text)) == text);
    auto other = integrator;
    other.maximum_drude_distance = 0;
    CHECK(integrator_of<DrudeLangevinIntegrator>(text_of(other)).maximum_drude_distance == 0);
    other.seed = std::uint64_t{1} << 40;
    CHECK_THROWS_WITH(text_of(other), Catch::Contains("32-bit seeds"));
    CHECK_THROWS_WITH(integrator_of<DrudeLangevinIntegrator>(replaced(langevin_text, R"(drudeFriction="20" )", "")),
                      Catch::Contains("drudeFriction"));
    CHECK_THROWS_WITH(integrator_of<DrudeLangevinIntegrator>(replaced(langevin_text, R"(="300")", R"(="-3")")),
                      Catch::Contains("temperature is \"-3\""));
    CHECK_THROWS_WITH(integrator_of<DrudeLangevinIntegrator>(replaced(langevin_text, "friction=", "Friction=")),
                      Catch::Contains("Friction"));
}

TEST_CASE("A DrudeNoseHooverIntegrator is read and written", "[drude]") {
    auto const integrator = integrator_of<DrudeNoseHooverIntegrator>(nose_hoover_text);
    CHECK(integrator.collision_frequency == 20);
    CHECK(integrator.drude_temperature == 1);
    CHECK(integrator.drude_collision_frequency == 25);
    CHECK(integrator.chain_length == 4);
    CHECK(integrator.multiple_time_steps == 2);
    CHECK(integrator.yoshida_suzuki_steps == 5);
    CHECK(integrator.maximum_drude_distance == 0.02);
    CHECK(integrator.force_groups.mask() == 5);
    auto const text = text_of(integrator);
    CHECK(text_of(integrator_of<DrudeNoseHooverIntegrator>(text)) == text);
    CHECK_THROWS_WITH(
        integrator_of<DrudeNoseHooverIntegrator>(replaced(nose_hoover_text, R"(numYS="5")", R"(numYS="2")")),
        Catch::Contains("numYS is \"2\", expected 1, 3, 5 or 7"));
}

TEST_CASE("A DrudeSCFIntegrator has no file format", "[drude]") {
    CHECK_THROWS_WITH(text_of(DrudeSCFIntegrator{.step_size = 0.001}),
                      Catch::Contains("no format for a DrudeSCFIntegrator"));
    CHECK_THROWS_WITH(integrator_of<DrudeSCFIntegrator>(replaced(nose_hoover_text, "NoseHoover", "SCF")),
                      Catch::Contains("no format for a DrudeSCFIntegrator"));
}
