// GayBerneForce in files.
// SPDX-License-Identifier: MIT
#include <trotter/forces/gay_berne.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

using Particle = GayBerneForce::Particle;
using Exception = GayBerneForce::Exception;

constexpr auto exception_particles = std::tuple{&Exception::particle1, &Exception::particle2};

void read_particles(XmlNode const& list, GayBerneForce& force, int particle_count) {
    list.only({}, {"Particle"});
    for (auto const element : list.children()) {
        element.only({"sig", "eps", "sx", "sy", "sz", "ex", "ey", "ez", "xparticle", "yparticle"});
        auto& particle = force.particles.emplace_back();
        read_fields(element, particle, GayBerneForce::fields);
        particle.x_particle = element.integer<int>("xparticle", -1, particle_count - 1);
        particle.y_particle = element.integer<int>("yparticle", -1, particle_count - 1);
    }
    if (force.particles.size() != static_cast<std::size_t>(particle_count))
        list.fail("a GayBerneForce has " + std::to_string(force.particles.size()) + " particles, expected "
                  + std::to_string(particle_count) + " as in the System");
}

}  // namespace

void read(XmlNode const& node, GayBerneForce& force, int particle_count) {
    node.version(1);
    only_force(node, {"method", "cutoff", "useSwitchingFunction", "switchingDistance"}, {"Particles", "Exceptions"});
    force.method = static_cast<GayBerneForce::Method>(
        node.integer<int>("method", 0, static_cast<int>(GayBerneForce::Method::cutoff_periodic)));
    force.cutoff_distance = node.number("cutoff");
    force.use_switching_function = node.boolean_or("useSwitchingFunction", false);
    force.switching_distance = node.number_or("switchingDistance", -1);
    read_particles(node.child("Particles"), force, particle_count);
    auto const list = node.child("Exceptions");
    list.only({}, {"Exception"});
    for (auto const element : list.children()) {
        element.only({"p1", "p2", "sig", "eps"});
        auto& exception = force.exceptions.emplace_back();
        detail::read_particles(element, exception, exception_particles, particle_count);
        read_fields(element, exception, GayBerneForce::exception_fields);
    }
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
    xml.close().open("Exceptions");
    for (auto const& exception : force.exceptions) {
        xml.open("Exception");
        detail::write_particles(xml, exception, exception_particles);
        write_fields(xml, exception, GayBerneForce::exception_fields);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter
