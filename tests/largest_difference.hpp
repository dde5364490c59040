// How far two sets of vectors are from each other.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

/// The larger of two errors; NaN, which is below no limit, where one is NaN.
inline double worst_of(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// NaN where a vector holds one, or where the sets are of different sizes.
inline double largest_difference(std::vector<Vec3<>> const& a, std::vector<Vec3<>> const& b) {
    double largest = a.size() == b.size() ? 0 : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < a.size() && !std::isnan(largest); ++i) largest = worst_of(largest, norm(a[i] - b[i]));
    return largest;
}

}  // namespace trotter
