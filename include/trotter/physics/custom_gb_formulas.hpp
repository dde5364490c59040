// The formulas of a CustomGBForce, and how their names are resolved.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/forces/custom_gb.hpp>

namespace trotter {

/// A formula of a CustomGBForce as kernels evaluate it.
struct GBFormula {
    /// Origin of a name's value.
    enum class Source { distance, coordinate, parameter, value, global, weight };
    /// Value of a name: a quantity of the pair, of the first or only particle, or of the second.
    struct Argument {
        Source source = Source::distance;  ///< kind of the value
        int index =
            0;  ///< axis, or index into parameters, values (also of weights) or global parameters
        bool is_second = false;  ///< whether it belongs to particle 2
    };
    RuntimeExpression expression;  ///< the compiled formula
    CustomGBForce::Kind kind = CustomGBForce::Kind::single_particle;  ///< one particle or a pair
    std::vector<Argument> arguments;  ///< in the order of the expression's names

    /// Whether the formula is of pairs.
    bool is_of_pairs() const { return kind != CustomGBForce::Kind::single_particle; }
    /// Whether excluded pairs are included.
    bool sees_excluded() const { return kind == CustomGBForce::Kind::particle_pair_no_exclusions; }
};

/// All formulas of a force, in its order; A_k, see HasStages, are derivatives of the energy by value k of particles.
struct GBFormulas {
    std::vector<GBFormula> values, energies;  ///< of computed values and of energy terms
    /// For each pair value f, with A_k as constant weights: A_k(1) f(1, 2) + A_k(2) f(2, 1), whose derivative by a
    /// weight is the value, and whose other derivatives are those of a pair energy. "0" for other values.
    std::vector<GBFormula> both_orders;
    std::size_t parameter_count = 0;       ///< of each particle
    std::vector<std::vector<int>> wanted;  ///< of each global parameter, its indices among the requested derivatives

    /// Throws InputError for an unknown name.
    explicit GBFormulas(CustomGBForce const& force);
};

}  // namespace trotter
