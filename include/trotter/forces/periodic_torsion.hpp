// Periodic torsions.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/statement.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// Cosines of dihedral angles: E = k (1 + cos(periodicity·theta - phase)).
struct PeriodicTorsionForce {
    static constexpr std::string_view name = "PeriodicTorsionForce";  ///< type name, in messages and files

    /// A torsion and its parameters.
    struct Torsion {
        int particle1 = 0, particle2 = 0, particle3 = 0, particle4 = 0;  ///< particle indices, along the bonds
        int periodicity = 1;  ///< number of minima per turn
        double phase = 0;  ///< [radian]
        double k = 0;      ///< [kJ/mol]
    };
    std::vector<Torsion> torsions{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &PeriodicTorsionForce::torsions;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Torsions", term_name = "Torsion";  ///< list and item in XML
    /// Particle indices of a term.
    static constexpr auto particles = std::array{&Torsion::particle1, &Torsion::particle2, &Torsion::particle3, &Torsion::particle4};
    /// `theta` is the dihedral angle [radian].
    static constexpr auto variables = std::array{Dihedral{"theta", {0, 1, 2, 3}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::tuple{Field{"periodicity", "periodicity", &Torsion::periodicity, Valid::at_least_one},
                                              Field{"phase", "phase", &Torsion::phase}, Field{"k", "k", &Torsion::k}};
    static constexpr Expression<"k*(1 + cos(periodicity*theta - phase))"> energy{};  ///< [kJ/mol]
};

}  // namespace trotter
