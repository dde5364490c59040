// Hydrogen bonds, or whatever acts between donors and acceptors, by a formula of the run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/point_functions.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

class RuntimeFormula;

/// An energy of every donor with every acceptor: a formula of distances, angles and dihedral angles of the donor's
/// particles d1, d2, d3 and the acceptor's a1, a2, a3, of each donor's and acceptor's numbers, and of parameters of the
/// Context. With a cutoff a pair counts where d1 and a1 are closer than that.
struct CustomHbondForce {
    static constexpr std::string_view name = "CustomHbondForce";
    static constexpr bool is_all_members = true;

    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };
    /// A donor or acceptor.
    struct Site {
        int particle1 = 0, particle2 = -1, particle3 = -1;  ///< -1: none
        std::vector<double> parameters{};                   ///< in the order of the names
    };
    /// A pair that does not interact.
    struct Exclusion {
        int donor = 0, acceptor = 0;
    };
    RuntimeExpression energy{};  ///< [kJ/mol]; made by `formula`
    std::vector<std::string> donor_parameter_names{}, acceptor_parameter_names{};
    std::vector<GlobalParameter> global_parameters{};
    std::vector<TabulatedFunction> tabulated_functions{};
    std::vector<Site> donors{}, acceptors{};
    std::vector<Exclusion> exclusions{};
    Method method = Method::no_cutoff;
    double cutoff_distance = 1;  ///< [nm]
    int force_group = 0;
    std::string label{name};

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return {std::move(text), AnyName{}, geometric_functions(tables)};
    }
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    bool is_periodic() const { return method == Method::cutoff_periodic; }

    /// The formula as kernels evaluate it, of a set of particles d1, d2, d3, a1, a2, a3; fields are the parameters of
    /// donors, then those of acceptors. Throws InputError for a name that nothing stands for.
    RuntimeFormula set_formula() const;
};

void read(XmlNode const& node, CustomHbondForce& force, int particle_count);
void write(XmlWriter& xml, CustomHbondForce const& force);

/// Throws InputError for the first number of the force that makes no sense in a System of `particle_count` particles
/// and this box.
void check(CustomHbondForce const& force, int particle_count, Box const& box);

}  // namespace trotter
