// Ryckaert-Bellemans torsions.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/statement.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// Polynomials in the cosine of a dihedral angle: E = Σ c_n cos(psi)^n, where psi = theta - pi is zero for trans.
struct RBTorsionForce {
    static constexpr std::string_view name = "RBTorsionForce";  ///< type name, in messages and files

    /// A torsion and its parameters.
    struct Torsion {
        int particle1 = 0, particle2 = 0, particle3 = 0, particle4 = 0;  ///< particle indices, along the bonds
        double c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0;  ///< [kJ/mol]
    };
    std::vector<Torsion> torsions{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &RBTorsionForce::torsions;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Torsions", term_name = "Torsion";  ///< list and item in XML
    /// Particle indices of a term.
    static constexpr auto particles = std::array{&Torsion::particle1, &Torsion::particle2, &Torsion::particle3, &Torsion::particle4};
    /// `theta` is the dihedral angle [radian].
    static constexpr auto variables = std::array{Dihedral{"theta", {0, 1, 2, 3}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields =
        std::array{Field{"c0", "c0", &Torsion::c0}, Field{"c1", "c1", &Torsion::c1}, Field{"c2", "c2", &Torsion::c2},
                   Field{"c3", "c3", &Torsion::c3}, Field{"c4", "c4", &Torsion::c4}, Field{"c5", "c5", &Torsion::c5}};
    /// [kJ/mol]
    static constexpr Expression<"c0 + x*(c1 + x*(c2 + x*(c3 + x*(c4 + x*c5)))); x = -cos(theta)"> energy{};
};

}  // namespace trotter
