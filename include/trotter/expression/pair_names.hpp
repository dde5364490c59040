// The names in pair formulas, and the programs made of such a formula.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trotter/expression/problem.hpp>
#include <trotter/expression/unit.hpp>

namespace trotter::expression {

/// Meaning of a name in a pair formula.
enum class Role : unsigned char { distance, particle1, particle2, global };

/// Meaning of one name.
struct PairName {
    Role role = Role::distance;  ///< meaning
    int index = 0;  ///< of the parameter among those of a particle, or of the global parameter
};

/// An argument of the factored formula: a per-particle column of the first or second particle, or a global value.
struct Leaf {
    Role role = Role::global;  ///< meaning
    int index = 0;  ///< of the column, or of the value

    friend constexpr bool operator==(Leaf const&, Leaf const&) = default;  ///< compares all members
};

/// Indices of r, 1/r, r² and the first leaf among the variables of pair formulas.
inline constexpr int distance_variable = 0, inverse_variable = 1, square_variable = 2, first_leaf_variable = 3;

/// The programs of a force's formula. Variables of `pair` are r, 1/r, r², then the leaves; its outputs are the energy,
/// r times its derivative by r, and its derivatives by the chosen global parameters. Variables of `columns` and
/// `radicands` (which must not be negative) are the per-particle parameters, then the global ones; those of `values`
/// are the global ones alone.
struct PairUnits {
    Program pair, columns, radicands, values;  ///< compiled; see above
    std::vector<Leaf> leaves;  ///< by their variables in `pair`, less `first_leaf_variable`
    Problem problem;  ///< the first error in the text; if set, the rest is invalid
};

}  // namespace trotter::expression
