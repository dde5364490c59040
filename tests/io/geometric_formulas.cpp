// CustomHbondForce and CustomManyParticleForce in files: reading, writing and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/io/system.hpp>

using namespace trotter;

namespace {

using List = ForceList<CustomHbondForce, CustomManyParticleForce>;

System<List> read_force(std::string const& force) {
    return parse_system<List>(
        R"(<System openmmVersion="8" type="System" version="1"><PeriodicBoxVectors><A x="2" y="0" z="0"/>)"
        R"(<B x="0" y="2" z="0"/><C x="0" y="0" z="2"/></PeriodicBoxVectors><Particles><Particle mass="1"/>)"
        R"(<Particle mass="1"/><Particle mass="1"/></Particles><Constraints/><Forces>)"
        + force + "</Forces></System>");
}
template <Force F> F read_again(std::string const& force) {
    auto const text = system_to_xml(read_force(force));
    CHECK(system_to_xml(parse_system<List>(text)) == text);
    return parse_system<List>(text).forces<F>().at(0);
}
template <class Error> bool refuses(std::string const& force, std::string const& part) {
    try {
        read_force(force);
    } catch (Error const& error) {
        INFO(error.what());
        CHECK(std::string(error.what()).find(part) != std::string::npos);
        return true;
    }
    return false;
}

std::string hbonds(std::string const& acceptors, std::string const& functions = "",
                   std::string const& energy = "k*distance(d1,a1)") {
    return R"(<Force type="CustomHbondForce" version="1" forceGroup="3" method="2" cutoff=".8" energy=")" + energy
           + R"("><PerDonorParameters><Parameter name="q"/></PerDonorParameters><PerAcceptorParameters/><GlobalParameters>)"
             R"(<Parameter name="k" default="2"/></GlobalParameters><Donors><Donor p1="0" p2="1" p3="-1" param1="1.5"/></Donors>)"
             "<Acceptors>"
           + acceptors + R"(</Acceptors><Exclusions><Exclusion donor="0" acceptor="0"/></Exclusions><Functions>)"
           + functions + "</Functions></Force>";
}
std::string sets(std::string const& filters, std::string const& types = "2", std::string const& functions = "") {
    return R"(<Force type="CustomManyParticleForce" version="1" method="1" cutoff=".7" particlesPerSet="2" permutationMode="1" )"
           R"xml(energy="q1*distance(p1,p2)"><PerParticleParameters><Parameter name="q"/></PerParticleParameters><GlobalParameters/>)xml"
           R"(<Particles><Particle type="0" param1="1"/><Particle type="-1" param1="2"/><Particle type=")"
           + types + R"(" param1="3"/></Particles><Exclusions><Exclusion p1="2" p2="0"/></Exclusions><TypeFilters>)"
           + filters + "</TypeFilters><Functions>" + functions + "</Functions></Force>";
}
std::string const table = R"(<Function name="f" type="Discrete1DFunction" version="1"><Values><Value v="1"/><Value v="-2"/></Values></Function>)";

}  // namespace

TEST_CASE("a CustomHbondForce in a file", "[io]") {
    auto const force = read_again<CustomHbondForce>(hbonds(R"(<Acceptor p1="2" p2="-1" p3="-1"/>)"));
    CHECK(force.energy.formula() == "k*distance(d1,a1)");
    CHECK(force.method == CustomHbondForce::Method::cutoff_periodic);
    CHECK(force.cutoff_distance == 0.8);
    CHECK(force.donor_parameter_names == std::vector<std::string>{"q"});
    CHECK(force.global_parameters.at(0).default_value == 2);
    CHECK(force.donors.at(0).particle2 == 1);
    CHECK(force.donors.at(0).parameters == std::vector{1.5});
    CHECK(force.acceptors.at(0).particle1 == 2);
    CHECK(force.acceptors.at(0).particle3 == -1);
    CHECK(force.exclusions.size() == 1);
    CHECK(force.force_group == 3);
    CHECK(refuses<InputError>(hbonds(""), R"(acceptor is "0")"));
    CHECK(refuses<InputError>(hbonds(R"(<Acceptor p1="-1" p2="1" p3="-1"/>)"),
                              R"(p1 is "-1", expected an integer from 0 to 2)"));
    CHECK(refuses<InputError>(hbonds(R"(<Acceptor p1="1" p2="3" p3="-1"/>)"),
                              R"(p2 is "3", expected an integer from -1 to 2)"));
    CHECK(refuses<InputError>(hbonds("", "", "distance(d1)"), "energy cannot be read"));
    auto const with_table =
        read_again<CustomHbondForce>(hbonds(R"(<Acceptor p1="2" p2="-1" p3="-1"/>)", table, "f(distance(d1,a1))"));
    CHECK(with_table.tabulated_functions.at(0).values == std::vector{1.0, -2.0});
}

TEST_CASE("a CustomManyParticleForce in a file", "[io]") {
    auto const force =
        read_again<CustomManyParticleForce>(sets(R"(<Filter index="0" types="0,-1,7"/><Filter index="1" types=""/>)"));
    CHECK(force.particles_per_set == 2);
    CHECK(force.permutations == CustomManyParticleForce::Permutations::unique_central);
    CHECK(force.method == CustomManyParticleForce::Method::cutoff_non_periodic);
    CHECK(force.particles.at(1).type == -1);
    CHECK(force.particles.at(2).parameters == std::vector{3.0});
    CHECK(force.exclusions.at(0).particle1 == 2);
    CHECK(force.type_filters == std::vector<std::set<int>>{{-1, 0, 7}, {}});
    CHECK(refuses<InputError>(sets(R"(<Filter index="2" types=""/>)"),
                              R"(index is "2", expected an integer from 0 to 1)"));
    for (std::string const types : {"a", "1,,2", "1, 2", "1.5"})
        CHECK(refuses<InputError>(sets("<Filter index=\"0\" types=\"" + types + "\"/>"),
                                  "types is \"" + types + "\", expected integers with commas between them"));
    CHECK(refuses<InputError>(sets("", "x"), "type is \"x\""));
    CHECK(read_again<CustomManyParticleForce>(sets("", "2", table)).tabulated_functions.at(0).is_discrete());
}
