// Your own force in one header: its parameters and its formula. Works on every backend and in files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/trotter.hpp>

namespace string_theory {

/// Open strings between pairs of particles, each in one of its states: E² = (tension r)² + rest_energy².
/// The spectrum is that of J. F. Arvis, Physics Letters B 127, 106 (1983).
struct StringForce {
    static constexpr std::string_view name = "StringForce";

    struct String {
        int particle1 = 0, particle2 = 0;
        double tension = 0;      ///< [kJ/mol/nm]
        double rest_energy = 0;  ///< of a string without length [kJ/mol]
    };
    std::vector<String> strings;
    int force_group = 0;
    bool periodic = false;  ///< take the nearest periodic image of each difference

    static constexpr auto terms = &StringForce::strings;
    static constexpr std::string_view terms_name = "Strings", term_name = "String";  // in files
    static constexpr auto particles = std::tuple{&String::particle1, &String::particle2};
    static constexpr auto variables = std::tuple{trotter::Distance{"r", {0, 1}}};
    static constexpr auto fields =
        std::tuple{trotter::Field{"tension", "tension", &String::tension},
                   trotter::Field{"rest_energy", "restEnergy", &String::rest_energy, trotter::Valid::positive}};
    static constexpr trotter::Expression<"sqrt((tension*r)^2 + rest_energy^2)"> energy{};
    static constexpr bool bonds_molecules = true;
};

}  // namespace string_theory
