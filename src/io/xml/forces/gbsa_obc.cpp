// Reads and writes GBSAOBCForce; version 1 has no surface-area energy attribute.
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
    int const version = node.version(2);
    only_force(node, {"method", "cutoff", "solventDielectric", "soluteDielectric", "surfaceAreaEnergy"}, {"Particles"});
    force.method = node.choice("method", GBSAOBCForce::Method::cutoff_periodic);
    read_fields(node, force, force_fields);
    double const implied = force.surface_area_energy;
    force.surface_area_energy =
        version < 2 ? node.number_or("surfaceAreaEnergy", implied) : node.number("surfaceAreaEnergy");
    refuse_early(node, "surfaceAreaEnergy", version, version < 2 && force.surface_area_energy != implied);
    auto const list = node.child("Particles");
    detail::read_rows(list, "Particle", force.particles, detail::no_particles, GBSAOBCForce::fields, particle_count);
    detail::check_particle_list(list, "a GBSAOBCForce", force.particles.size(), particle_count);
}

void write(XmlWriter& xml, GBSAOBCForce const& force) {
    xml.attribute("version", 2).attribute("method", static_cast<int>(force.method));
    write_fields(xml, force, force_fields);
    xml.attribute("surfaceAreaEnergy", force.surface_area_energy);
    detail::write_rows(xml, "Particles", "Particle", force.particles, detail::no_particles, GBSAOBCForce::fields);
}

}  // namespace trotter
