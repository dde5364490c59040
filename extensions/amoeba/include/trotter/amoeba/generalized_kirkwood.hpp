// Implicit solvent of atomic multipoles: the generalized Kirkwood model.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/system.hpp>

namespace trotter {

struct AmoebaMultipoleForce;

/// Parameters of the generalized Kirkwood implicit solvent (M. J. Schnieders, J. W. Ponder, J. Chem. Theory Comput. 3,
/// 2083 (2007)) for the AmoebaMultipoleForce of the same System, which computes the reaction field together with the
/// induced dipoles: the solvent's energy is part of that force's, and the energy of this one is 0.
///
/// Born radii are integrals of 1/r⁶ over the solute (T. Grycuk, J. Chem. Phys. 119, 4817 (2003)), optionally with
/// corrections for necks between atoms and a rescaling for interstitial space (R. A. Corrigan et al., J. Chem. Phys.
/// 159, 054102 (2023)).
struct AmoebaGeneralizedKirkwoodForce {
    static constexpr std::string_view name = "AmoebaGeneralizedKirkwoodForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;                                ///< a checkpoint compares every member

    /// Parameters of an atom.
    struct Particle {
        double charge = 0;             ///< that of the multipole [e]
        double radius = 0.1;           ///< base radius [nm]; 0: the Born radius is 3 nm
        double scale_factor = 0.69;    ///< of the descreening radius when it descreens other atoms
        double descreen_radius = 0.1;  ///< [nm]
        double neck_factor = 0;        ///< scale of the neck correction
    };
    std::vector<Particle> particles{};  ///< one for each particle of the System
    double solvent_dielectric = 78.3;   ///< relative permittivity
    double solute_dielectric = 1;       ///< kept for files; the energy is that of a solute with permittivity 1
    double dielectric_offset = 0.009;   ///< added to radii in the cavity term [nm]
    double probe_radius = 0.14;         ///< added to radii in the cavity term [nm]
    double surface_area_factor = -170.35173066268223;  ///< -24 pi times the surface tension [kJ/mol/nm²]
    bool include_cavity_term = true;                   ///< adds an energy proportional to an estimated surface area
    bool tanh_rescaling = false;                       ///< rescales the solute integral for interstitial space
    double tanh_b0 = 0.9563, tanh_b1 = 0.2578, tanh_b2 = 0.0810;  ///< coefficients of the rescaling
    double descreen_offset = 0;                                   ///< added to the start of the solute integral [nm]
    bool has_multipoles = true;                                   ///< whether the System has multipoles; not in files
    int force_group = 0;                                          ///< 0 or more
    std::string label{name};                                      ///< name of this force in files and results

    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields =
        std::array{Field{"charge", "charge", &Particle::charge}, Field{"radius", "radius", &Particle::radius},
                   Field{"scale factor", "scaleFactor", &Particle::scale_factor},
                   Field{"descreening radius", "descreenRadius", &Particle::descreen_radius},
                   Field{"neck factor", "neckFactor", &Particle::neck_factor}};

    /// This force, which knows whether the System has multipoles.
    template <class List> AmoebaGeneralizedKirkwoodForce joined_with(System<List> const& system) const {
        AmoebaGeneralizedKirkwoodForce result = *this;
        result.has_multipoles = false;
        if constexpr (lists_force<AmoebaMultipoleForce, List>)
            result.has_multipoles = !system.template forces<AmoebaMultipoleForce>().empty();
        return result;
    }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, AmoebaGeneralizedKirkwoodForce& force, int particle_count);
void write(XmlWriter& xml, AmoebaGeneralizedKirkwoodForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid parameter in a System of `particle_count` particles.
void check(AmoebaGeneralizedKirkwoodForce const& force, int particle_count);

}  // namespace trotter
