// Generalized Born models and other values of particles, by formulas of the run time.
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

/// Generalized Born models and other energies of many particles: values are computed for each particle one after the
/// other, each from those before it, and energies of particles and pairs from all of them.
///
/// The names in a formula of pairs are the distance `r` [nm], parameters and values of the two particles with 1 or 2
/// behind the name, and global parameters; in a formula of single particles the particle's coordinates `x`, `y`, `z`
/// [nm], which are not taken into the periodic box, its parameters and values, and global parameters. A Context throws
/// InputError for unknown names and invalid parameters.
struct CustomGBForce {
    static constexpr std::string_view name = "CustomGBForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true, has_stages = true;  ///< compared by checkpoints; evaluated in stages

    /// What a value or an energy is summed over.
    enum class Kind {
        single_particle,  ///< of each particle
        particle_pair,               ///< of all pairs but those that are excluded
        particle_pair_no_exclusions  ///< of all pairs
    };
    /// Of pairs: the sum over all partners of a particle, which is particle 1 of the formula. It may be any formula.
    struct ComputedValue {
        std::string name{};  ///< name in later formulas
        RuntimeExpression expression{};  ///< of one particle, or of a pair as `kind` says
        Kind kind = Kind::single_particle;  ///< what it is summed over
    };
    /// [kJ/mol]. One of pairs is taken once for each of them; it must not change when the two are exchanged.
    struct EnergyTerm {
        RuntimeExpression expression{};  ///< [kJ/mol]
        Kind kind = Kind::single_particle;  ///< what it is summed over
    };
    std::vector<std::string> parameter_names{};    ///< of each particle
    std::vector<std::vector<double>> particles{};  ///< values of the parameters
    std::vector<ComputedValue> computed_values{};  ///< in the order of computation
    std::vector<EnergyTerm> energy_terms{};  ///< the energy is their sum
    std::vector<TabulatedFunction> tabulated_functions{};  ///< that formulas may call
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< global parameters by which derivatives are wanted
    PairSettings pairs{};  ///< with a cutoff no pair beyond it adds to anything; no switching function, no correction
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Per-particle parameters of pairs, found by the generic kernels.
    static constexpr auto sites = &CustomGBForce::particles;

    /// A formula with tabulated functions, of a value or an energy. Throws ExpressionError.
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

/// Throws InputError unless `changed` differs from `force` in the numbers of particles and tables alone.
void check_same(CustomGBForce const& force, CustomGBForce const& changed);

}  // namespace trotter
