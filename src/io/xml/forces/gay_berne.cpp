// Reads and writes GayBerneForce.
// SPDX-License-Identifier: MIT
#include <trotter/forces/gay_berne.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

using Exception = GayBerneForce::Exception;

constexpr auto exception_particles = std::tuple{&Exception::particle1, &Exception::particle2};

void read_particles(XmlNode const& list, GayBerneForce& force, int particle_count) {
    for (auto const element : list.items("Particle")) {
        element.only({"sig", "eps", "sx", "sy", "sz", "ex", "ey", "ez", "xparticle", "yparticle"});
        auto& particle = force.particles.emplace_back();
        read_fields(element, particle, GayBerneForce::fields);
        particle.x_particle = element.integer<int>("xparticle", -1, particle_count - 1);
        particle.y_particle = element.integer<int>("yparticle", -1, particle_count - 1);
    }
    detail::check_particle_list(list, "a GayBerneForce", force.particles.size(), particle_count);
}

}  // namespace

void read(XmlNode const& node, GayBerneForce& force, int particle_count) {
    node.version(1);
    only_force(node, {"method", "cutoff", "useSwitchingFunction", "switchingDistance"}, {"Particles", "Exceptions"});
    force.method = node.choice("method", GayBerneForce::Method::cutoff_periodic);
    force.cutoff_distance = node.number("cutoff");
    force.use_switching_function = node.boolean_or("useSwitchingFunction", false);
    force.switching_distance = node.number_or("switchingDistance", -1);
    read_particles(node.child("Particles"), force, particle_count);
    detail::read_rows(node.child("Exceptions"), "Exception", force.exceptions, exception_particles,
                      GayBerneForce::exception_fields, particle_count);
}

void write(XmlWriter& xml, GayBerneForce const& force) {
    xml.attribute("version", 1).attribute("method", static_cast<int>(force.method));
    xml.attribute("cutoff", force.cutoff_distance)
        .attribute("switchingDistance", force.switching_distance)
        .attribute("useSwitchingFunction", force.use_switching_function);
    xml.open("Particles");
    for (auto const& particle : force.particles) {
        xml.open("Particle");
        write_fields(xml, particle, GayBerneForce::fields);
        xml.attribute("xparticle", particle.x_particle).attribute("yparticle", particle.y_particle).close();
    }
    xml.close();
    detail::write_rows(xml, "Exceptions", "Exception", force.exceptions, exception_particles,
                       GayBerneForce::exception_fields);
}

}  // namespace trotter
