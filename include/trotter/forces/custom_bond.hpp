// Bonds with an energy formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// Pairs of particles whose energy is a formula of their distance r [nm], of per-bond parameters, and of Context
/// parameters. A Context throws InputError for an unknown name in the formula.
struct CustomBondForce {
    static constexpr std::string_view name = "CustomBondForce";  ///< type name, in messages and files

    /// A bond and its parameters.
    struct Bond {
        int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    RuntimeExpression energy{};                  ///< [kJ/mol]
    std::vector<std::string> parameter_names{};  ///< of each bond
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Bond> bonds{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &CustomBondForce::bonds;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Bonds", term_name = "Bond";  ///< list and item in XML
    static constexpr auto particles = std::array{&Bond::particle1, &Bond::particle2};  ///< particle indices of a term
    /// `r` is the distance [nm] of the two particles.
    static constexpr auto variables = std::array{Distance{"r", {0, 1}}};
    static constexpr bool bonds_molecules = true;  ///< its particles belong to one molecule
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomBondForce& force, int particle_count);
void write(XmlWriter& xml, CustomBondForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
