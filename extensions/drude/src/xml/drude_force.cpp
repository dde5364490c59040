// Reads and writes DrudeForce.
// SPDX-License-Identifier: MIT
#include <trotter/drude/drude_force.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

DrudeForce::Particle read_particle(XmlNode const& node, int particle_count) {
    node.only({"p", "p1", "p2", "p3", "p4", "charge", "polarizability", "a12", "a34"});
    DrudeForce::Particle particle;
    particle.drude = node.integer<int>("p", 0, particle_count - 1);
    particle.parent = node.integer<int>("p1", 0, particle_count - 1);
    particle.particle2 = node.integer<int>("p2", -1, particle_count - 1);
    particle.particle3 = node.integer<int>("p3", -1, particle_count - 1);
    particle.particle4 = node.integer<int>("p4", -1, particle_count - 1);
    read_fields(node, particle, DrudeForce::fields);
    if (particle.has_first_axis() && !(particle.anisotropy12 > 0)) node.refuse("a12", expected_text(Valid::positive));
    if (particle.has_second_axis() && !(particle.anisotropy34 > 0)) node.refuse("a34", expected_text(Valid::positive));
    return particle;
}

}  // namespace

// OpenMM's version 1 lacks the flag of periodic images, which its files lose: this attribute keeps it, and OpenMM skips
// it.
void read(XmlNode const& node, DrudeForce& force, int particle_count) {
    node.version(1);
    only_force(node, {"usesPeriodic"}, {"Particles", "ScreenedPairs"});
    force.periodic = node.boolean_or("usesPeriodic", false);
    for (auto const element : node.child("Particles").items("Particle"))
        force.particles.push_back(read_particle(element, particle_count));
    auto const last = static_cast<int>(force.particles.size()) - 1;
    for (auto const element : node.child("ScreenedPairs").items("Pair")) {
        element.only({"p1", "p2", "thole"});
        force.screened_pairs.push_back(
            {element.integer<int>("p1", 0, last), element.integer<int>("p2", 0, last), element.number("thole")});
    }
}

void write(XmlWriter& xml, DrudeForce const& force) {
    xml.attribute("version", 1);
    if (force.periodic) xml.attribute("usesPeriodic", true);
    xml.open("Particles");
    for (auto const& particle : force.particles) {
        xml.open("Particle")
            .attribute("p", particle.drude)
            .attribute("p1", particle.parent)
            .attribute("p2", particle.particle2)
            .attribute("p3", particle.particle3)
            .attribute("p4", particle.particle4);
        write_fields(xml, particle, DrudeForce::fields);
        xml.close();
    }
    xml.close().open("ScreenedPairs");
    for (auto const& [particle1, particle2, thole] : force.screened_pairs)
        xml.open("Pair").attribute("p1", particle1).attribute("p2", particle2).attribute("thole", thole).close();
    xml.close();
}

}  // namespace trotter
