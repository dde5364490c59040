// The smallest distances that formulas are evaluated at.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/expression/evaluate.hpp>

namespace trotter {

/// What is added to the square of the distance of a pair [nm²]: no other number feels it, but for particles at one place r,
/// 1/r and 1/r² are numbers, and a formula of them has its limit: a force d (-dE/dr)/r along d = 0 is 0 where (dE/dr)/r is
/// a number of any size, while 1/r and what grows faster make it NaN, as there is no such force.
template <class T> constexpr T least_square() { return expression::limit<T>(expression::smallest_normal); }

/// The shortest length of a bond [nm], to the same end: 1/r is a number, 1/r² is infinite, and so is the slope of 1/r.
template <class T> constexpr T least_distance() { return expression::limit<T>(expression::reciprocal_square_overflows); }

}  // namespace trotter
