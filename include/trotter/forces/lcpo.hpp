// Surface area by linear combinations of pairwise overlaps (LCPO).
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>

namespace trotter {

/// Surface tension times an estimate of the solvent-accessible area by linear combinations of pairwise overlaps (J.
/// Weiser, P. S. Shenkin, W. C. Still, J. Comput. Chem. 20, 217 (1999)).
struct LCPOForce {
    static constexpr std::string_view name = "LCPOForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// Sphere of an atom, and the coefficients P1 to P4 of its type.
    struct Particle {
        double radius = 0;  ///< including the solvent's [nm]; 0: no area and no overlap
        double p1 = 0, p2 = 0, p3 = 0;  ///< dimensionless
        double p4 = 0;  ///< [1/nm²]
    };
    std::vector<Particle> particles{};  ///< one for each particle of the System
    double surface_tension = 1;       ///< [kJ/mol/nm²]
    bool periodic = false;            ///< use minimum images
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Largest distance at which spheres overlap [nm].
    double reach() const {
        double largest = 0;
        for (auto const& particle : particles) largest = std::max(largest, particle.radius);
        return 2 * largest;
    }

    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"radius", "r", &Particle::radius, Valid::not_negative},
                                              Field{"p1", "p1", &Particle::p1}, Field{"p2", "p2", &Particle::p2},
                                              Field{"p3", "p3", &Particle::p3}, Field{"p4", "p4", &Particle::p4}};
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, LCPOForce& force, int particle_count);
void write(XmlWriter& xml, LCPOForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
