// Generalized Born solvent of Onufriev, Bashford and Case with a surface-area term.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/error.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Subtracted from every radius before the integrals [nm].
inline constexpr double dielectric_offset = 0.009;

/// Implicit solvent: the OBC(II) model (Onufriev, Bashford, Case, Proteins 55, 383 (2004)) with the ACE approximation
/// of the surface area (Schaefer, Bartels, Karplus, J. Mol. Biol. 284, 835 (1998)). The charges are separate from other
/// forces'; vacuum Coulomb interactions are left to those. A Context throws InputError for invalid parameters.
struct GBSAOBCForce {
    static constexpr std::string_view name = "GBSAOBCForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true, has_stages = true;  ///< compared by checkpoints; evaluated in stages

    /// All pairs, pairs within the cutoff, or pairs within the cutoff between nearest periodic images.
    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };

    /// Per-particle parameters.
    struct Particle {
        double charge = 0;        ///< [e]
        double radius = 0;        ///< [nm]
        double scale_factor = 0;  ///< of the radius, where it descreens a neighbour

        /// Lower bound of the Born integral [nm].
        double reduced_radius() const { return radius - dielectric_offset; }
        /// Radius at which the particle descreens neighbours [nm].
        double scaled_radius() const { return scale_factor * reduced_radius(); }
    };
    std::vector<Particle> particles{};  ///< one for each particle of the System
    Method method = Method::no_cutoff;  ///< all pairs, or those within the cutoff
    double cutoff_distance = 1;              ///< [nm]
    double solvent_dielectric = 78.3;        ///< relative permittivity
    double solute_dielectric = 1;            ///< relative permittivity
    double surface_area_energy = 2.25936;    ///< [kJ/mol/nm²]
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields =
        std::array{Field{"charge", "q", &Particle::charge}, Field{"radius", "r", &Particle::radius, Valid::positive},
                   Field{"scale_factor", "scale", &Particle::scale_factor, Valid::positive}};

    /// Whether pairs beyond `cutoff_distance` are left out.
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::cutoff_periodic; }
    /// Factor of E = q1 q2/f, for each pair and (halved) each particle with itself [kJ nm/mol/e²]; 0 if a dielectric
    /// constant is 0, as in OpenMM.
    double prefactor() const {
        if (solute_dielectric == 0 || solvent_dielectric == 0) return 0;
        return -constants::coulomb * (1 / solute_dielectric - 1 / solvent_dielectric);
    }
};

/// Throws InputError for the first invalid parameter of the force in a System of `particle_count` particles and
/// this box.
inline void check(GBSAOBCForce const& force, int particle_count, Box const& box) {
    check_particle_number(force.particles.size(), particle_count);
    for (std::size_t i = 0; i < force.particles.size(); ++i) {
        Numbered const where{"particle", i};
        for (auto const& field : GBSAOBCForce::fields) check_field(field, force.particles[i], where);
        if (force.particles[i].radius <= dielectric_offset)
            throw InputError(where + ": radius is " + std::to_string(force.particles[i].radius)
                             + " nm, expected more than the dielectric offset of 0.009 nm");
    }
    if (force.uses_cutoff()) check_cutoff(force.cutoff_distance, force.is_periodic(), box);
    for (double const dielectric : {force.solvent_dielectric, force.solute_dielectric})
        if (!std::isfinite(dielectric))
            throw InputError("a dielectric constant is " + std::to_string(dielectric) + ", expected a finite number");
    if (!std::isfinite(force.surface_area_energy))
        throw InputError("the surface area energy is " + std::to_string(force.surface_area_energy)
                         + ", expected a finite number");
}

/// Throws InputError unless `changed` has the method and the cutoff of `force`.
inline void check_same(GBSAOBCForce const& force, GBSAOBCForce const& changed) {
    if (force.method != changed.method || force.cutoff_distance != changed.cutoff_distance)
        throw InputError("the method or the cutoff has changed; only numbers can be updated");
}

/// The force in `copies` copies of a System.
inline GBSAOBCForce replicate(GBSAOBCForce force, int, int copies) {
    auto const one = force.particles;
    for (int n = 1; n < copies; ++n) force.particles.insert(force.particles.end(), one.begin(), one.end());
    return force;
}

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, GBSAOBCForce& force, int particle_count);
void write(XmlWriter& xml, GBSAOBCForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
