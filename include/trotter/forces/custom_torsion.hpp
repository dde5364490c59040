// Torsions with an energy formula given at run time.
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

/// Quadruples of particles whose energy is a formula of their dihedral angle theta [radian, -pi to pi, 0 for cis], of
/// per-torsion parameters, and of Context parameters. A Context throws InputError for an unknown name in the formula.
struct CustomTorsionForce {
    static constexpr std::string_view name = "CustomTorsionForce";  ///< type name, in messages and files

    /// A torsion and its parameters.
    struct Torsion {
        int particle1 = 0, particle2 = 0, particle3 = 0, particle4 = 0;  ///< particle indices, along the bonds
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    RuntimeExpression energy{};                  ///< [kJ/mol]
    std::vector<std::string> parameter_names{};  ///< of each torsion
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Torsion> torsions{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &CustomTorsionForce::torsions;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Torsions", term_name = "Torsion";  ///< list and item in XML
    /// Particle indices of a term.
    static constexpr auto particles =
        std::array{&Torsion::particle1, &Torsion::particle2, &Torsion::particle3, &Torsion::particle4};
    /// `theta` is the dihedral angle [radian].
    static constexpr auto variables = std::array{Dihedral{"theta", {0, 1, 2, 3}}};
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomTorsionForce& force, int particle_count);
void write(XmlWriter& xml, CustomTorsionForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
