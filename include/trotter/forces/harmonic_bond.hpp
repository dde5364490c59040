// Harmonic bonds.
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

/// Springs between pairs of particles: E = k/2 (r - length)².
struct HarmonicBondForce {
    static constexpr std::string_view name = "HarmonicBondForce";  ///< type name, in messages and files

    /// A bond and its parameters.
    struct Bond {
        int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
        double length = 0;  ///< rest length [nm]
        double k = 0;       ///< stiffness [kJ/mol/nm²]
    };
    std::vector<Bond> bonds{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &HarmonicBondForce::bonds;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Bonds", term_name = "Bond";  ///< list and item in XML
    static constexpr auto particles = std::array{&Bond::particle1, &Bond::particle2};  ///< particle indices of a term
    /// `r` is the distance [nm] of the two particles.
    static constexpr auto variables = std::array{Distance{"r", {0, 1}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"length", "d", &Bond::length, Valid::not_negative}, Field{"k", "k", &Bond::k}};
    static constexpr Expression<"k/2*(r - length)^2"> energy{};  ///< [kJ/mol]
    static constexpr bool bonds_molecules = true;  ///< its particles belong to one molecule
};

}  // namespace trotter
