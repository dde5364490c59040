// Reads and writes AmoebaWcaDispersionForce.
// SPDX-License-Identifier: MIT
#include <trotter/amoeba/wca_dispersion.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {

void read(XmlNode const& node, AmoebaWcaDispersionForce& force, int particle_count) {
    node.version(2);
    only_force(node, {"Epso", "Epsh", "Rmino", "Rminh", "Awater", "Shctd", "Dispoff", "Slevy"},
               {"WcaDispersionParticles"});
    read_fields(node, force, AmoebaWcaDispersionForce::water_fields);
    auto const list = node.child("WcaDispersionParticles");
    detail::read_rows(list, "Particle", force.particles, detail::no_particles, AmoebaWcaDispersionForce::fields,
                      particle_count);
    detail::check_particle_list(list, "an AmoebaWcaDispersionForce", force.particles.size(), particle_count);
}

void write(XmlWriter& xml, AmoebaWcaDispersionForce const& force) {
    xml.attribute("version", 2);
    write_fields(xml, force, AmoebaWcaDispersionForce::water_fields);
    detail::write_rows(xml, "WcaDispersionParticles", "Particle", force.particles, detail::no_particles,
                       AmoebaWcaDispersionForce::fields);
}

}  // namespace trotter
