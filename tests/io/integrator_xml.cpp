// Integrators in files.
// SPDX-License-Identifier: MIT
#include <catch_compat.hpp>

#include <trotter/error.hpp>
#include <trotter/io/integrator.hpp>

#include "io/scratch.hpp"

using namespace trotter;
using testing::message_of;

namespace {

bool says(std::string_view message, std::string_view part) { return message.find(part) != message.npos; }
std::string refusal(std::string const& text) {
    return message_of<InputError>([&] { (void)parse_integrator(text, "i.xml"); });
}
template <class I> I round_trip(I const& integrator) {
    return std::get<I>(parse_integrator(integrator_to_xml(integrator)));
}

std::string variable(int version, std::string const& attributes) {
    return "<Integrator type=\"VariableVerletIntegrator\" version=\"" + std::to_string(version)
           + "\" stepSize=\".001\" constraintTolerance=\"1e-05\" errorTol=\".01\" " + attributes + "/>";
}
std::string verlet(std::string const& attributes) {
    return "<Integrator type=\"VerletIntegrator\" version=\"1\" " + attributes + "/>";
}
std::string hoover(std::string const& attributes, std::string const& children = "") {
    return "<Integrator type=\"NoseHooverIntegrator\" version=\"1\" stepSize=\".001\" constraintTolerance=\"1e-05\" "
           "maximumPairDistance=\"0\" "
           + attributes + ">" + children + "</Integrator>";
}

}  // namespace

TEST_CASE("Each integrator keeps its name and numbers") {
    auto const groups = ForceGroups::only({0, 3, 31});
    auto const verlet =
        round_trip(VerletIntegrator{.step_size = 0.1 + 0.2, .constraint_tolerance = 1e-9, .force_groups = groups});
    CHECK(verlet.step_size == 0.1 + 0.2);
    CHECK(verlet.constraint_tolerance == 1e-9);
    CHECK(verlet.force_groups == groups);
    auto const old_name =
        round_trip(LangevinIntegrator{.temperature = 300, .friction = 2, .step_size = 0.004, .seed = 7});
    CHECK(old_name.temperature == 300);
    CHECK(old_name.friction == 2);
    CHECK(old_name.seed == 7);
    CHECK(old_name.force_groups.contains_all());
    CHECK(round_trip(LangevinMiddleIntegrator{.temperature = 310, .friction = 1, .step_size = 0.001}).temperature == 310);
    CHECK(round_trip(BrownianIntegrator{.temperature = 300, .friction = 91, .step_size = 0.001}).friction == 91);
    CHECK(round_trip(VariableVerletIntegrator{.error_tolerance = 0.01, .maximum_step_size = 0.5}).maximum_step_size
          == 0.5);
    CHECK(round_trip(VariableLangevinIntegrator{.temperature = 300, .friction = 1, .error_tolerance = 0.01}).error_tolerance == 0.01);
}

TEST_CASE("Chains for all particles and for some are read and written") {
    NoseHooverIntegrator all{.chains = {{.temperature = 300, .collision_frequency = 25, .chain_length = 4}},
                             .step_size = 0.002};
    CHECK(round_trip(all).chains.at(0).chain_length == 4);
    CHECK(round_trip(all).chains.at(0).particles.empty());
    NoseHooverIntegrator some = all;
    some.chains[0].particles = {0, 5};
    some.chains[0].pairs = {{1, 2}};
    some.chains[0].relative_temperature = 10;
    some.maximum_pair_distance = 0.02;
    auto const again = round_trip(some);
    CHECK(again.chains.at(0).particles == std::vector<int>{0, 5});
    CHECK(again.chains.at(0).pairs.at(0).particle2 == 2);
    CHECK(again.chains.at(0).relative_temperature == 10);
    CHECK(again.maximum_pair_distance == 0.02);
    CHECK(round_trip(NoseHooverIntegrator{.step_size = 0.001}).chains.empty());
    some.chains.push_back(all.chains[0]);
    CHECK_THROWS_AS(integrator_to_xml(some), InputError);
}

TEST_CASE("A Compound holds integrators in order") {
    CompoundIntegrator const compound{{VerletIntegrator{.step_size = 0.001}, LangevinIntegrator{.temperature = 300, .friction = 1, .step_size = 0.002}},
                                      1};
    auto const again = round_trip(compound);
    CHECK(again.current == 1);
    REQUIRE(again.integrators.size() == 2);
    CHECK(std::get<LangevinIntegrator>(again.integrators[1]).step_size == 0.002);
    testing::ScratchFolder const folder;
    write_integrator(folder / "integrator.xml", compound);
    CHECK(integrator_to_xml(read_integrator(folder / "integrator.xml")) == integrator_to_xml(compound));
}

TEST_CASE("Version 1 of integrators with a variable step has no limit of it") {
    CHECK(std::get<VariableVerletIntegrator>(parse_integrator(variable(1, ""))).maximum_step_size == 0);
    CHECK(std::get<VariableVerletIntegrator>(parse_integrator(variable(2, "maxStepSize=\".5\""))).maximum_step_size
          == 0.5);
    CHECK(says(refusal(variable(1, "maxStepSize=\".5\"")), "no such attribute in version 1"));
    CHECK(says(refusal(variable(2, "")), "maxStepSize is missing"));
    CHECK(says(refusal(variable(3, "maxStepSize=\".5\"")), "version 3 is newer than 2"));
}

TEST_CASE("Integrators that make no sense are refused") {
    CHECK(refusal(verlet("stepSize=\"-1\" constraintTolerance=\"1\""))
          == "i.xml, line 1, /Integrator: stepSize is \"-1\", expected a number that is not negative");
    CHECK(says(refusal(verlet("stepSize=\"1\" constraintTolerance=\"0\"")),
               "constraintTolerance is \"0\", expected a positive number"));
    CHECK(says(refusal(verlet("stepSize=\"1\" constraintTolerance=\"1\" temperature=\"1\"")),
               "unknown attribute \"temperature\""));
    CHECK(says(refusal(verlet("stepSize=\"1\" constraintTolerance=\"1\" integrationForceGroups=\"all\"")),
               "expected an integer"));
    CHECK(says(refusal("<Integrator type=\"MagicIntegrator\" version=\"3\"/>"),
               "type is \"MagicIntegrator\", expected one of the integrators that are known here: VerletIntegrator,"));
    std::string const chain =
        "hasSubsystemThermostats=\"0\" temperature=\"300\" collisionFrequency=\"25\" chainLength=\"3\" numMTS=\"3\" ";
    CHECK(says(refusal(hoover(chain + "numYS=\"4\"")), "numYS is \"4\", expected 1, 3, 5 or 7"));
    CHECK(says(refusal(hoover(chain + "numYS=\"3\"", "<Thermostat/>")), "unknown element"));
    CHECK(says(refusal(hoover("hasSubsystemThermostats=\"1\" numYS=\"3\"")), "unknown attribute \"numYS\""));
    CHECK(says(refusal(hoover(
                   "hasSubsystemThermostats=\"1\"",
                   "<Thermostat temperature=\"1\" collisionFrequency=\"1\" chainLength=\"1\" numMTS=\"1\" numYS=\"1\" "
                   "relativeTemperature=\"1\" "
                   "relativeCollisionFrequency=\"1\"><ThermostatedAtoms/><ThermostatedPairs/></Thermostat>")),
               "expected a thermostat for at least one particle or pair"));
    std::string const compound = "<Integrator type=\"CompoundIntegrator\" version=\"1\" currentIntegrator=\"1\">";
    CHECK(says(refusal(compound + "</Integrator>"), "at least one integrator"));
    CHECK(says(refusal(compound + verlet("stepSize=\"1\" constraintTolerance=\"1\"") + "</Integrator>"),
               "currentIntegrator is \"1\", expected an integer from 0 to 0"));
    CHECK(says(refusal(compound + compound + "</Integrator></Integrator>"), "CompoundIntegrator outermost"));
}

TEST_CASE("Force groups without a bit in the mask are not written") {
    CHECK_THROWS_AS(integrator_to_xml(VerletIntegrator{.step_size = 0.001, .force_groups = ForceGroups::only({40})}), InputError);
}
