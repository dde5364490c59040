// GBSAOBCForce in files; version 1 has no surface-area energy of its own.
// SPDX-License-Identifier: MIT
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

constexpr auto force_fields =
    std::tuple{Field{"cutoff", "cutoff", &GBSAOBCForce::cutoff_distance},
               Field{"solvent_dielectric", "solventDielectric", &GBSAOBCForce::solvent_dielectric},
               Field{"solute_dielectric", "soluteDielectric", &GBSAOBCForce::solute_dielectric}};

}  // namespace

void read(XmlNode const& node, GBSAOBCForce& force, int particle_count) {
    static constexpr auto attributes = file_names(GBSAOBCForce::fields);
    int const version = node.version(2);
    only_force(node, {"method", "cutoff", "solventDielectric", "soluteDielectric", "surfaceAreaEnergy"}, {"Particles"});
    force.method = static_cast<GBSAOBCForce::Method>(
        node.integer<int>("method", 0, static_cast<int>(GBSAOBCForce::Method::cutoff_periodic)));
    read_fields(node, force, force_fields);
    double const implied = force.surface_area_energy;
    force.surface_area_energy =
        version < 2 ? node.number_or("surfaceAreaEnergy", implied) : node.number("surfaceAreaEnergy");
    refuse_early(node, "surfaceAreaEnergy", version < 2 && force.surface_area_energy != implied);
    auto const list = node.child("Particles");
    list.only({}, {"Particle"});
    for (auto const element : list.children()) {
        element.only(attributes);
        read_fields(element, force.particles.emplace_back(), GBSAOBCForce::fields);
    }
    if (force.particles.size() != static_cast<std::size_t>(particle_count))
        list.fail("a GBSAOBCForce has " + std::to_string(force.particles.size()) + " particles, expected "
                  + std::to_string(particle_count) + " as in the System");
}

void write(XmlWriter& xml, GBSAOBCForce const& force) {
    xml.attribute("version", 2).attribute("method", static_cast<int>(force.method));
    write_fields(xml, force, force_fields);
    xml.attribute("surfaceAreaEnergy", force.surface_area_energy);
    xml.open("Particles");
    for (auto const& particle : force.particles) {
        xml.open("Particle");
        write_fields(xml, particle, GBSAOBCForce::fields);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter
