// The formulas of a CustomGBForce, and how their names are resolved.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/forces/custom_gb.hpp>

namespace trotter {

/// A formula of a CustomGBForce as kernels evaluate it.
struct GBFormula {
    /// Where the value of a name comes from.
    enum class Source { distance, coordinate, parameter, value, global, weight };
    /// What a name stands for: a number of the first particle or of the only one, or of the second.
    struct Argument {
        Source source = Source::distance;  ///< kind of the value
        int index =
            0;  ///< of the axis, or among the parameters, values (of which a weight is one) or global parameters
        bool is_second = false;  ///< whether it belongs to particle 2
    };
    RuntimeExpression expression;  ///< the compiled formula
    CustomGBForce::Kind kind = CustomGBForce::Kind::single_particle;  ///< one particle or a pair
    std::vector<Argument> arguments;  ///< in the order of the expression's names

    /// Whether the formula takes a pair of particles.
    bool is_of_pairs() const { return kind != CustomGBForce::Kind::single_particle; }
    /// Whether excluded pairs count, too.
    bool sees_excluded() const { return kind == CustomGBForce::Kind::particle_pair_no_exclusions; }
};

/// All of them, in the force's order; A_k, see HasStages, are derivatives of the energy by value k of particles.
struct GBFormulas {
    std::vector<GBFormula> values, energies;  ///< of computed values and of energy terms
    /// For each value of pairs, with A_k as weights that stand for numbers: A_k(1) f(1, 2) + A_k(2) f(2, 1). So a value
    /// is the derivative of this by the weight, and what follows from it is what follows from an energy of pairs. For
    /// others the formula "0".
    std::vector<GBFormula> both_orders;
    std::size_t parameter_count = 0;       ///< of each particle
    std::vector<std::vector<int>> wanted;  ///< of each global parameter, its places among the wanted derivatives

    /// Throws InputError for a name that nothing stands for.
    explicit GBFormulas(CustomGBForce const& force);
};

}  // namespace trotter
