// The names in pair formulas, and the programs made of such a formula.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trotter/expression/problem.hpp>
#include <trotter/expression/unit.hpp>

namespace trotter::expression {

/// What a name in the formula of a pair stands for.
enum class Role : unsigned char { distance, particle1, particle2, global };

/// What one name stands for.
struct PairName {
    Role role = Role::distance;  ///< what it stands for
    int index = 0;  ///< of the parameter among those of a particle, or of the global parameter
};

/// An argument of the formula that is left: a column of the first or second particle, or a value of the whole force.
struct Leaf {
    Role role = Role::global;  ///< what it stands for
    int index = 0;  ///< of the column, or of the value

    friend constexpr bool operator==(Leaf const&, Leaf const&) = default;  ///< compares all members
};

/// Variables of the formulas of pairs; leaves follow.
/// Indices of r, 1/r, r², and of the first leaf.
inline constexpr int distance_variable = 0, inverse_variable = 1, square_variable = 2, first_leaf_variable = 3;

/// What is known of a force's formula. Variables of `pair` are r, 1/r, r², then the leaves; its outputs are the energy,
/// r times its derivative by r, and its derivatives by the chosen global parameters. Variables of `columns` and of
/// `radicands`, of which none may be negative, are the parameters of a particle, then the global ones, and those of
/// `values` are these alone.
struct PairUnits {
    Program pair, columns, radicands, values;  ///< compiled; see above
    std::vector<Leaf> leaves;  ///< by their variables in `pair`, less `first_leaf_variable`
    Problem problem;  ///< the first error in the text; if set, nothing else holds
};

}  // namespace trotter::expression
