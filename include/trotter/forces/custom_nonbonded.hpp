// Pair interactions with an energy formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// Pair interactions by any formula. A Context throws InputError for unknown names and invalid parameters.
struct CustomNonbondedForce {
    static constexpr std::string_view name = "CustomNonbondedForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// A per-particle value, by a formula of the particle's parameters and global parameters.
    struct ComputedValue {
        std::string name{};  ///< name in the energy's formula, with 1 or 2 appended
        RuntimeExpression expression{};  ///< of the particle's parameters and global parameters
    };
    /// Pairs of a particle of one set with one of the other. With groups, no other pairs interact; pairs of several
    /// groups count once for each. The long-range correction leaves out pairs of a particle with itself.
    struct InteractionGroup {
        std::set<int> set1{}, set2{};  ///< particle indices
    };

    /// [kJ/mol], of the distance `r` [nm], of the particles' parameters and computed values with suffix 1 or 2, and of
    /// global parameters. It must be symmetric in the two particles.
    RuntimeExpression energy{};
    std::vector<std::string> parameter_names{};    ///< of each particle
    std::vector<std::vector<double>> particles{};  ///< parameters of each particle
    std::vector<ComputedValue> computed_values{};  ///< per-particle values available in the energy
    std::vector<TabulatedFunction> tabulated_functions{};  ///< available in formulas
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    PairSettings pairs{};  ///< cutoff, switching, exclusions
    std::vector<InteractionGroup> interaction_groups{};  ///< empty: all pairs
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Compiles a formula with tabulated functions, of the energy or of a computed value. Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables) {
        return {std::move(text), AnyName{}, formula_functions(tables)};
    }

    /// Per-particle parameters, found by the generic kernels.
    static constexpr auto sites = &CustomNonbondedForce::particles;

    /// The only part: the same energy with computed values merged into the formula and groups expressed as per-particle
    /// parameters. Throws InputError if they are invalid.
    std::tuple<CustomNonbondedForce> parts() const;

    /// Throws InputError for the first invalid name, computed value or group.
    void check() const;

private:
    void check_computed_values() const;
    std::string with_computed_values() const;
    std::string groups_text() const;
    void add_memberships();
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomNonbondedForce& force, int particle_count);
void write(XmlWriter& xml, CustomNonbondedForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
