// Generalized Born solvent of Onufriev, Bashford and Case with a surface-area term.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/field.hpp>

namespace trotter {

/// Implicit solvent: the OBC(II) model (Onufriev, Bashford, Case, Proteins 55, 383 (2004)) with the ACE approximation of
/// the surface area (Schaefer, Bartels, Karplus, J. Mol. Biol. 284, 835 (1998)). It has charges of its own, and
/// vacuum Coulomb interactions are left to a NonbondedForce. A Context throws InputError for numbers that make no sense.
struct GBSAOBCForce {
    static constexpr std::string_view name = "GBSAOBCForce";
    static constexpr bool is_all_members = true;

    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };

    struct Particle {
        double charge = 0;        ///< [e]
        double radius = 0;        ///< [nm]
        double scale_factor = 0;  ///< of the radius, as a descreening neighbour sees it
    };
    std::vector<Particle> particles{};
    Method method = Method::no_cutoff;
    double cutoff_distance = 1;              ///< [nm]
    double solvent_dielectric = 78.3;        ///< relative permittivity
    double solute_dielectric = 1;            ///< relative permittivity
    double surface_area_energy = 2.25936;    ///< [kJ/mol/nm²]
    int force_group = 0;
    std::string label{name};

    static constexpr auto fields =
        std::array{Field{"charge", "q", &Particle::charge}, Field{"radius", "r", &Particle::radius, Valid::positive},
                   Field{"scale_factor", "scale", &Particle::scale_factor, Valid::positive}};

    bool uses_cutoff() const { return method != Method::no_cutoff; }
    bool is_periodic() const { return method == Method::cutoff_periodic; }
};

/// In so many copies of a System.
inline GBSAOBCForce repeated(GBSAOBCForce force, int, int copies) {
    auto const one = force.particles;
    for (int n = 1; n < copies; ++n) force.particles.insert(force.particles.end(), one.begin(), one.end());
    return force;
}

void read(XmlNode const& node, GBSAOBCForce& force, int particle_count);
void write(XmlWriter& xml, GBSAOBCForce const& force);

}  // namespace trotter
