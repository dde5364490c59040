// LCPOForce in files.
// SPDX-License-Identifier: MIT
#include <trotter/forces/lcpo.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

constexpr auto force_fields = std::tuple{Field{"surface_tension", "surfaceTension", &LCPOForce::surface_tension},
                                         Field{"periodic", "usesPeriodic", &LCPOForce::periodic}};

}  // namespace

void read(XmlNode const& node, LCPOForce& force, int particle_count) {
    static constexpr auto attributes = file_names(LCPOForce::fields);
    node.version(1);
    only_force(node, {"surfaceTension", "usesPeriodic"}, {"Particles"});
    read_fields(node, force, force_fields);
    auto const list = node.child("Particles");
    list.only({}, {"Particle"});
    for (auto const element : list.children()) {
        element.only(attributes);
        read_fields(element, force.particles.emplace_back(), LCPOForce::fields);
    }
    if (force.particles.size() != static_cast<std::size_t>(particle_count))
        list.fail("an LCPOForce has " + std::to_string(force.particles.size()) + " particles, expected "
                  + std::to_string(particle_count) + " as in the System");
}

void write(XmlWriter& xml, LCPOForce const& force) {
    xml.attribute("version", 1);
    write_fields(xml, force, force_fields);
    xml.open("Particles");
    for (auto const& particle : force.particles) {
        xml.open("Particle");
        write_fields(xml, particle, LCPOForce::fields);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter
