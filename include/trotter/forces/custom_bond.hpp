// Bonds by a formula of the run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/runtime_statement.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/variables.hpp>

namespace trotter {

/// Pairs of particles whose energy is a formula of their distance r [nm], of each bond's numbers, and of parameters of
/// the Context. A Context throws InputError for a name in the formula that nothing stands for.
struct CustomBondForce {
    static constexpr std::string_view name = "CustomBondForce";

    struct Bond {
        int particle1 = 0, particle2 = 0;
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    RuntimeExpression energy{};                  ///< [kJ/mol]
    std::vector<std::string> parameter_names{};  ///< of each bond
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Bond> bonds{};
    int force_group = 0;
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};

    static constexpr auto terms = &CustomBondForce::bonds;
    static constexpr std::string_view terms_name = "Bonds", term_name = "Bond";
    static constexpr auto particles = std::array{&Bond::particle1, &Bond::particle2};
    static constexpr auto variables = std::array{Distance{"r", {0, 1}}};
    static constexpr bool bonds_molecules = true;
};

void read(XmlNode const& node, CustomBondForce& force, int particle_count);
void write(XmlWriter& xml, CustomBondForce const& force);

}  // namespace trotter
