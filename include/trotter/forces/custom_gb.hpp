// Generalized Born models and other many-body energies, with formulas given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/box.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// Generalized Born models and other many-body energies: per-particle values are computed in order, each from those
/// before it, and energies of particles and pairs from all of them.
///
/// Pair formulas use the distance `r` [nm], parameters and values of the two particles with suffix 1 or 2, and global
/// parameters; single-particle formulas the coordinates `x`, `y`, `z` [nm], not wrapped into the periodic box, the
/// particle's parameters and values, and global parameters. A Context throws InputError for unknown names and invalid
/// parameters.
struct CustomGBForce {
    static constexpr std::string_view name = "CustomGBForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true, has_stages = true;  ///< compared by checkpoints; evaluated in stages

    /// Range of the sum of a value or an energy.
    enum class Kind {
        single_particle,  ///< of each particle
        particle_pair,               ///< of all pairs that are not excluded
        particle_pair_no_exclusions  ///< of all pairs
    };
    /// A per-particle value; of pairs: the sum over all partners of a particle, which is particle 1 of the formula.
    struct ComputedValue {
        std::string name{};  ///< name in later formulas
        RuntimeExpression expression{};  ///< of one particle or a pair, by `kind`
        Kind kind = Kind::single_particle;  ///< range of the sum
    };
    /// A term of the energy [kJ/mol]. Pair terms count each pair once and must be symmetric in the two particles.
    struct EnergyTerm {
        RuntimeExpression expression{};  ///< [kJ/mol]
        Kind kind = Kind::single_particle;  ///< range of the sum
    };
    std::vector<std::string> parameter_names{};    ///< of each particle
    std::vector<std::vector<double>> particles{};  ///< parameters of each particle
    std::vector<ComputedValue> computed_values{};  ///< in the order of computation
    std::vector<EnergyTerm> energy_terms{};  ///< the energy is their sum
    std::vector<TabulatedFunction> tabulated_functions{};  ///< available in formulas
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    PairSettings pairs{};  ///< cutoff applies to values and energies; no switching function, no correction
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Per-particle parameters, found by the generic kernels.
    static constexpr auto sites = &CustomGBForce::particles;

    /// Compiles a formula with tabulated functions, of a value or an energy. Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables) {
        return {std::move(text), AnyName{}, formula_functions(tables)};
    }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomGBForce& force, int particle_count);
void write(XmlWriter& xml, CustomGBForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid setting, parameter or name of the force in a System of
/// `particle_count` particles and this box.
void check(CustomGBForce const& force, int particle_count, Box const& box);

/// Throws InputError unless `changed` differs from `force` only in per-particle parameters and tables.
void check_same(CustomGBForce const& force, CustomGBForce const& changed);

}  // namespace trotter
