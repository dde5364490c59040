// Lower limits of distances in formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/expression/evaluate.hpp>

namespace trotter {

/// Added to the squared distance of a pair [nm²]. It vanishes in rounding, except that r, 1/r and 1/r² stay finite for
/// coinciding particles, where formulas take their limit: a force d (-dE/dr)/r along d = 0 is 0 if (dE/dr)/r is finite;
/// for energies as 1/r or steeper it is NaN, as the force is undefined.
template <class T> constexpr T least_square() { return expression::limit<T>(expression::smallest_normal); }

/// Lower limit of the length of a bond [nm], for the same reason: 1/r is finite; 1/r² and the slope of 1/r are
/// infinite.
template <class T> constexpr T least_distance() { return expression::limit<T>(expression::reciprocal_square_overflows); }

}  // namespace trotter
