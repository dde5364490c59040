// Harmonic bonds.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/statement.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/variables.hpp>

namespace trotter {

/// Springs between pairs of particles: E = k/2 (r - length)².
struct HarmonicBondForce {
    static constexpr std::string_view name = "HarmonicBondForce";

    struct Bond {
        int particle1 = 0, particle2 = 0;
        double length = 0;  ///< rest length [nm]
        double k = 0;       ///< stiffness [kJ/mol/nm²]
    };
    std::vector<Bond> bonds{};
    int force_group = 0;
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};

    static constexpr auto terms = &HarmonicBondForce::bonds;
    static constexpr std::string_view terms_name = "Bonds", term_name = "Bond";
    static constexpr auto particles = std::array{&Bond::particle1, &Bond::particle2};
    static constexpr auto variables = std::array{Distance{"r", {0, 1}}};
    static constexpr auto fields = std::array{Field{"length", "d", &Bond::length, Valid::not_negative}, Field{"k", "k", &Bond::k}};
    static constexpr Expression<"k/2*(r - length)^2"> energy{};
    static constexpr bool bonds_molecules = true;
};

}  // namespace trotter
