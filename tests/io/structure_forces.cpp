// GayBerneForce, LCPOForce, CustomVolumeForce and the forces on structures in files: reading, writing and invalid
// input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/io/system.hpp>

using namespace trotter;

namespace {

using List = ForceList<CustomVolumeForce, GayBerneForce, LCPOForce, OrientationRestraintForce, RGForce, RMSDForce>;

System<List> read_force(std::string const& force) {
    return parse_system<List>(
        R"(<System openmmVersion="8" type="System" version="1"><PeriodicBoxVectors><A x="2" y="0" z="0"/>)"
        R"(<B x="0" y="2" z="0"/><C x="0" y="0" z="2"/></PeriodicBoxVectors><Particles><Particle mass="1"/>)"
        R"(<Particle mass="1"/></Particles><Constraints/><Forces>)"
        + force + "</Forces></System>");
}
/// The only force, after writing and reading.
template <Force F> F read_again(std::string const& force) {
    auto const text = system_to_xml(read_force(force)), again = system_to_xml(parse_system<List>(text));
    CHECK(again == text);
    return parse_system<List>(text).forces<F>().at(0);
}
std::string refusal(std::string const& force) {
    try {
        read_force(force);
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}
bool says(std::string const& message, std::string const& part) {
    INFO(message);
    CHECK(message.find(part) != std::string::npos);
    return message.find(part) != std::string::npos;
}

std::string const ellipsoid = R"(sig=".3" eps="1" sx=".5" sy=".3" sz=".4" ex="1.5" ey=".9" ez="1")";
std::string gay_berne(std::string const& particles, std::string const& exceptions = "",
                      std::string const& version = "1") {
    return R"(<Force type="GayBerneForce" forceGroup="2" method="2" cutoff=".9" useSwitchingFunction="1" switchingDistance=".7" version=")"
           + version + "\"><Particles>" + particles + "</Particles><Exceptions>" + exceptions + "</Exceptions></Force>";
}
std::string const two_ellipsoids = "<Particle " + ellipsoid + R"( xparticle="1" yparticle="-1"/><Particle )" + ellipsoid
                                   + R"( xparticle="-1" yparticle="-1"/>)";

}  // namespace

TEST_CASE("a GayBerneForce in a file", "[io]") {
    auto const force =
        read_again<GayBerneForce>(gay_berne(two_ellipsoids, R"(<Exception p1="1" p2="0" sig=".2" eps="0"/>)"));
    CHECK(force.method == GayBerneForce::Method::cutoff_periodic);
    CHECK(force.cutoff_distance == 0.9);
    CHECK(force.is_switched());
    CHECK(force.switching_distance == 0.7);
    CHECK(force.force_group == 2);
    REQUIRE(force.particles.size() == 2);
    auto const& p = force.particles[0];
    CHECK(std::tuple{p.sigma, p.epsilon, p.x_particle, p.y_particle, p.size_x, p.size_y, p.size_z, p.scale_x, p.scale_y,
                     p.scale_z}
          == std::tuple{0.3, 1.0, 1, -1, 0.5, 0.3, 0.4, 1.5, 0.9, 1.0});
    REQUIRE(force.exceptions.size() == 1);
    CHECK(std::tuple{force.exceptions[0].particle1, force.exceptions[0].particle2, force.exceptions[0].sigma,
                     force.exceptions[0].epsilon}
          == std::tuple{1, 0, 0.2, 0.0});
    std::string const switching = R"( useSwitchingFunction="1" switchingDistance=".7")";
    auto without = gay_berne(two_ellipsoids);
    without.erase(without.find(switching), switching.size());
    CHECK_FALSE(read_again<GayBerneForce>(without).use_switching_function);
    CHECK(read_again<GayBerneForce>(without).switching_distance == -1);
    says(refusal(gay_berne("<Particle " + ellipsoid + R"( xparticle="2" yparticle="-1"/>)")),
         R"(xparticle is "2", expected an integer from -1 to 1)");
    says(refusal(gay_berne("")), "a GayBerneForce has 0 particles, expected 2 as in the System");
    says(refusal(gay_berne(two_ellipsoids, R"(<Exception p1="1" p2="5" sig=".2" eps="0"/>)")), R"(p2 is "5")");
    says(refusal(gay_berne(two_ellipsoids, "", "2")), "version 2 is newer than 1");
}

TEST_CASE("an LCPOForce in a file", "[io]") {
    auto const text = [](std::string const& radius) {
        return R"(<Force type="LCPOForce" version="1" surfaceTension="2.5" usesPeriodic="1"><Particles><Particle r=")"
               + radius
               + R"(" p1=".7" p2="-.2" p3="-.001" p4=".03"/><Particle r="0" p1="0" p2="0" p3="0" p4="0"/></Particles></Force>)";
    };
    auto const force = read_again<LCPOForce>(text(".31"));
    CHECK(force.surface_tension == 2.5);
    CHECK(force.periodic);
    REQUIRE(force.particles.size() == 2);
    CHECK(force.particles[0].radius == 0.31);
    CHECK(force.particles[0].p4 == 0.03);
    says(refusal(text("-1")), R"(r is "-1", expected a number that is not negative)");
    says(refusal(R"(<Force type="LCPOForce" version="1" surfaceTension="1" usesPeriodic="0"><Particles/></Force>)"),
         "an LCPOForce has 0 particles, expected 2 as in the System");
}

TEST_CASE("forces on structures in a file", "[io]") {
    std::string const
        positions =
            R"(<ReferencePositions><Position x="1" y="-2" z=".5"/><Position x="0" y="0" z="3"/></ReferencePositions>)",
        particles = R"(<Particles><Particle index="1"/><Particle index="0"/></Particles>)";
    auto const rmsd = read_again<RMSDForce>(R"(<Force type="RMSDForce" version="0" forceGroup="4" name="far">)"
                                            + positions + particles + "</Force>");
    CHECK(rmsd.reference_positions == std::vector<Vec3<>>{{1, -2, 0.5}, {0, 0, 3}});
    CHECK(rmsd.particles == std::vector{1, 0});
    CHECK(rmsd.label == "far");
    auto const turned = read_again<OrientationRestraintForce>(
        R"(<Force type="OrientationRestraintForce" version="0" k="7.5">)" + positions + "<Particles/></Force>");
    CHECK(turned.k == 7.5);
    CHECK(turned.reference_positions.size() == 2);
    CHECK(turned.particles.empty());
    CHECK(read_again<RGForce>(R"(<Force type="RGForce" version="0">)" + particles + "</Force>").particles
          == std::vector{1, 0});
    says(refusal(R"(<Force type="RGForce" version="1">)" + particles + "</Force>"), "version 1 is newer than 0");
    for (std::string const index : {"2", "-1"})
        says(refusal(R"(<Force type="RGForce" version="0"><Particles><Particle index=")" + index
                     + R"("/></Particles></Force>)"),
             "index is \"" + index + "\", expected an integer from 0 to 1");
    says(refusal(R"(<Force type="RMSDForce" version="0">)" + particles + "</Force>"),
         "<ReferencePositions> is missing");
}

TEST_CASE("a CustomVolumeForce in a file", "[io]") {
    auto const text = [](std::string const& energy) {
        return R"(<Force type="CustomVolumeForce" version="0" energy=")" + energy
               + R"("><GlobalParameters><Parameter name="p" default="1.5"/></GlobalParameters></Force>)";
    };
    auto const force = read_again<CustomVolumeForce>(text("p*v + cx"));
    CHECK(force.energy.formula() == "p*v + cx");
    REQUIRE(force.global_parameters.size() == 1);
    CHECK(force.global_parameters[0].default_value == 1.5);
    says(refusal(text("p*")), "energy cannot be read");
}
