// Hydrogen bonds between donors and acceptors, with an energy formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/box.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/terms/point_functions.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

class RuntimeFormula;

/// An energy of every donor with every acceptor: a formula of distances, angles and dihedral angles of the donor's
/// particles d1, d2, d3 and the acceptor's a1, a2, a3, of per-donor and per-acceptor parameters, and of Context
/// parameters. A cutoff applies to the distance of d1 and a1.
struct CustomHbondForce {
    static constexpr std::string_view name = "CustomHbondForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// All pairs, pairs within the cutoff, or pairs within the cutoff between nearest periodic images.
    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };
    /// A donor or acceptor.
    struct Site {
        int particle1 = 0, particle2 = -1, particle3 = -1;  ///< -1: none
        std::vector<double> parameters{};                   ///< in the order of the names
    };
    /// A pair that does not interact.
    struct Exclusion {
        int donor = 0, acceptor = 0;  ///< indices into `donors` and `acceptors`
    };
    RuntimeExpression energy{};  ///< [kJ/mol]; made by `formula`
    std::vector<std::string> donor_parameter_names{}, acceptor_parameter_names{};  ///< in the formula
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<TabulatedFunction> tabulated_functions{};  ///< available in the formula
    std::vector<Site> donors{}, acceptors{};  ///< sites that interact with each other
    std::vector<Exclusion> exclusions{};  ///< pairs that do not interact
    Method method = Method::no_cutoff;  ///< all pairs, or those within the cutoff
    double cutoff_distance = 1;  ///< [nm]
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return {std::move(text), AnyName{}, geometric_functions(tables)};
    }
    /// Whether pairs beyond `cutoff_distance` are left out.
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::cutoff_periodic; }

    /// The formula as kernels evaluate it, of particles d1, d2, d3, a1, a2, a3; fields are the parameters of donors,
    /// then those of acceptors. Throws InputError for an unknown name.
    RuntimeFormula set_formula() const;
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomHbondForce& force, int particle_count);
void write(XmlWriter& xml, CustomHbondForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid parameter of the force in a System of `particle_count` particles and
/// this box.
void check(CustomHbondForce const& force, int particle_count, Box const& box);

}  // namespace trotter
