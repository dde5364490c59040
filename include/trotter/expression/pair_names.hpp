// What formulas of pairs are made of: names, and units for a pair, a particle and the force.
// SPDX-License-Identifier: MIT
#pragma once

#include <trotter/expression/problem.hpp>
#include <trotter/expression/unit.hpp>
#include <vector>

namespace trotter::expression {

/// What a name in the formula of a pair stands for.
enum class Role : unsigned char { distance, particle1, particle2, global };

struct PairName {
    Role role = Role::distance;
    int index = 0;  ///< of the parameter among those of a particle, or of the global parameter
};

/// An argument of the formula that is left: a column of the first or second particle, or a value of the whole force.
struct Leaf {
    Role role = Role::global;
    int index = 0;

    friend constexpr bool operator==(Leaf const&, Leaf const&) = default;
};

/// Variables of the formulas of pairs; leaves follow.
inline constexpr int distance_variable = 0, inverse_variable = 1, square_variable = 2, first_leaf_variable = 3;

/// What is known of a force's formula. Variables of `pair` are r, 1/r, r², then the leaves; its outputs are the energy,
/// r times its derivative by r, and its derivatives by the chosen global parameters. Variables of `columns` and of
/// `radicands`, of which none may be negative, are the parameters of a particle, then the global ones, and those of
/// `values` are these alone.
struct PairUnits {
    Program pair, columns, radicands, values;
    std::vector<Leaf> leaves;
    Problem problem;
};

}  // namespace trotter::expression
