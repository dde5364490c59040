// Comparison of trajectory frames.
// SPDX-License-Identifier: MIT
#pragma once
#include "../catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::testing {

using Positions = std::vector<Vec3<double>>;

inline Box const triclinic{{3, 0, 0}, {1, 2.5, 0}, {-0.5, 1.2, 2}};

/// The largest error of all coordinates.
inline double largest_error(Positions const& a, Positions const& b) {
    REQUIRE(a.size() == b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) largest = std::max(largest, std::abs(a[i][axis] - b[i][axis]));
    return largest;
}

/// Checks that a box equals `triclinic`, in the single precision of files.
inline void check_box(std::optional<Box> const& box) {
    REQUIRE(box);
    for (auto vector : {&Box::a, &Box::b, &Box::c}) CHECK(norm((*box).*vector - triclinic.*vector) < 1e-6);
}

}  // namespace trotter::testing
