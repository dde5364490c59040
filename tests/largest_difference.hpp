// How far two sets of vectors are from each other.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

inline double largest_difference(std::vector<Vec3<>> const& a, std::vector<Vec3<>> const& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
    return largest;
}

}  // namespace trotter
