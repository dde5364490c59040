// Reading and writing the forces whose structure goes beyond described terms.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/cmap_torsion.hpp>
#include <trotter/forces/constant_potential.hpp>
#include <trotter/forces/custom_angle.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/custom_gb.hpp>
#include <trotter/forces/custom_hbond.hpp>
#include <trotter/forces/custom_many_particle.hpp>
#include <trotter/forces/custom_torsion.hpp>
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/custom_volume.hpp>
#include <trotter/forces/gay_berne.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/lcpo.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/orientation_restraint.hpp>
#include <trotter/forces/rg.hpp>
#include <trotter/forces/rmsd.hpp>
#include <trotter/io/pair_force.hpp>
#include <trotter/io/term_force.hpp>

namespace trotter {

// What stands in a `<Force>` element besides its type, force group and name. A force of your own has such functions in
// its own namespace; `particle_count` may be left out where no particle is referred to. `write` begins with the
// attributes, `version` first; the element is opened and closed around it.

void read(XmlNode const& node, CMAPTorsionForce& force, int particle_count);
void read(XmlNode const& node, NonbondedForce& force, int particle_count);
void read(XmlNode const& node, GBSAOBCForce& force, int particle_count);
void read(XmlNode const& node, ConstantPotentialForce& force, int particle_count);
void read(XmlNode const& node, CustomBondForce& force, int particle_count);
void read(XmlNode const& node, CustomAngleForce& force, int particle_count);
void read(XmlNode const& node, CustomTorsionForce& force, int particle_count);
void read(XmlNode const& node, CustomExternalForce& force, int particle_count);
void read(XmlNode const& node, CustomNonbondedForce& force, int particle_count);
void read(XmlNode const& node, CustomGBForce& force, int particle_count);
void read(XmlNode const& node, CustomCompoundBondForce& force, int particle_count);
void read(XmlNode const& node, CustomCentroidBondForce& force, int particle_count);
void read(XmlNode const& node, CustomHbondForce& force, int particle_count);
void read(XmlNode const& node, CustomManyParticleForce& force, int particle_count);
void read(XmlNode const& node, CustomVolumeForce& force);
void read(XmlNode const& node, GayBerneForce& force, int particle_count);
void read(XmlNode const& node, LCPOForce& force, int particle_count);
void read(XmlNode const& node, OrientationRestraintForce& force, int particle_count);
void read(XmlNode const& node, RGForce& force, int particle_count);
void read(XmlNode const& node, RMSDForce& force, int particle_count);
void read(XmlNode const& node, CMMotionRemover& force);
void read(XmlNode const& node, AndersenThermostat& force);
void read(XmlNode const& node, MonteCarloBarostat& force);
void read(XmlNode const& node, MonteCarloAnisotropicBarostat& force);
void read(XmlNode const& node, MonteCarloMembraneBarostat& force);
void read(XmlNode const& node, MonteCarloFlexibleBarostat& force);

void write(XmlWriter& xml, CMAPTorsionForce const& force);
void write(XmlWriter& xml, NonbondedForce const& force);
void write(XmlWriter& xml, GBSAOBCForce const& force);
void write(XmlWriter& xml, ConstantPotentialForce const& force);
void write(XmlWriter& xml, CustomBondForce const& force);
void write(XmlWriter& xml, CustomAngleForce const& force);
void write(XmlWriter& xml, CustomTorsionForce const& force);
void write(XmlWriter& xml, CustomExternalForce const& force);
void write(XmlWriter& xml, CustomNonbondedForce const& force);
void write(XmlWriter& xml, CustomGBForce const& force);
void write(XmlWriter& xml, CustomCompoundBondForce const& force);
void write(XmlWriter& xml, CustomCentroidBondForce const& force);
void write(XmlWriter& xml, CustomHbondForce const& force);
void write(XmlWriter& xml, CustomManyParticleForce const& force);
void write(XmlWriter& xml, CustomVolumeForce const& force);
void write(XmlWriter& xml, GayBerneForce const& force);
void write(XmlWriter& xml, LCPOForce const& force);
void write(XmlWriter& xml, OrientationRestraintForce const& force);
void write(XmlWriter& xml, RGForce const& force);
void write(XmlWriter& xml, RMSDForce const& force);
void write(XmlWriter& xml, CMMotionRemover const& force);
void write(XmlWriter& xml, AndersenThermostat const& force);
void write(XmlWriter& xml, MonteCarloBarostat const& force);
void write(XmlWriter& xml, MonteCarloAnisotropicBarostat const& force);
void write(XmlWriter& xml, MonteCarloMembraneBarostat const& force);
void write(XmlWriter& xml, MonteCarloFlexibleBarostat const& force);

namespace detail {

/// The attributes that every force has.
void read_common(XmlNode const& node, int& force_group, std::string* label);
void write_common(XmlWriter& xml, std::string_view type, int force_group, std::string_view label);

template <Force F> F read_force(XmlNode const& node, int particle_count) {
    F force;
    std::string* label = nullptr;
    if constexpr (requires { label = &force.label; }) label = &force.label;
    read_common(node, force.force_group, label);
    if constexpr (requires { read(node, force, particle_count); })
        read(node, force, particle_count);
    else if constexpr (requires { read(node, force); })
        read(node, force);
    else if constexpr (DescribesTerms<F>)
        read_terms(node, force, particle_count);
    else if constexpr (DescribesPairs<F>)
        read_pairs(node, force, particle_count);
    else
        node.fail(std::string(F::name) + " cannot be read from a file: there is no read(XmlNode const&, "
                  + std::string(F::name) + "&)");
    return force;
}

template <Force F> void write_force(XmlWriter& xml, F const& force) {
    std::string_view label = F::name;
    if constexpr (requires { label = force.label; }) label = force.label;
    xml.open("Force");
    write_common(xml, F::name, force.force_group, label);
    if constexpr (requires { write(xml, force); })
        write(xml, force);
    else if constexpr (DescribesTerms<F>)
        write_terms(xml, force);
    else if constexpr (DescribesPairs<F>)
        write_pairs(xml, force);
    else
        throw InputError(std::string(F::name) + " cannot be written to a file: there is no write(XmlWriter&, "
                         + std::string(F::name) + " const&)");
    xml.close();
}

}  // namespace detail
}  // namespace trotter
