// Reads and writes LCPOForce.
// SPDX-License-Identifier: MIT
#include <trotter/forces/lcpo.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

constexpr auto force_fields = std::tuple{Field{"surface_tension", "surfaceTension", &LCPOForce::surface_tension},
                                         Field{"periodic", "usesPeriodic", &LCPOForce::periodic}};

}  // namespace

void read(XmlNode const& node, LCPOForce& force, int particle_count) {
    node.version(1);
    only_force(node, {"surfaceTension", "usesPeriodic"}, {"Particles"});
    read_fields(node, force, force_fields);
    auto const list = node.child("Particles");
    detail::read_rows(list, "Particle", force.particles, detail::no_particles, LCPOForce::fields, particle_count);
    detail::check_particle_list(list, "an LCPOForce", force.particles.size(), particle_count);
}

void write(XmlWriter& xml, LCPOForce const& force) {
    xml.attribute("version", 1);
    write_fields(xml, force, force_fields);
    detail::write_rows(xml, "Particles", "Particle", force.particles, detail::no_particles, LCPOForce::fields);
}

}  // namespace trotter
