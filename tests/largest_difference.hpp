// The largest difference between two sets of vectors.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

/// The larger of two errors; NaN, which fails every comparison, if one is NaN.
inline double worst_of(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// NaN if a vector has one, or if the sizes differ.
inline double largest_difference(std::vector<Vec3<>> const& a, std::vector<Vec3<>> const& b) {
    double largest = a.size() == b.size() ? 0 : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < a.size() && !std::isnan(largest); ++i) largest = worst_of(largest, norm(a[i] - b[i]));
    return largest;
}

}  // namespace trotter
