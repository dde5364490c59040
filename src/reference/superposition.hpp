// Finds the rotation that brings one set of points closest to another.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include <trotter/vec3.hpp>

#include "linear_algebra.hpp"

namespace trotter::reference {

/// Returns the points minus their mean.
inline std::vector<Vec3<>> centered(std::vector<Vec3<>> points) {
    Vec3<> center;
    for (auto const& point : points) center += point;
    center *= 1 / static_cast<double>(points.size());
    for (auto& point : points) point -= center;
    return points;
}
inline std::vector<Vec3<>> chosen(std::vector<Vec3<>> const& points, std::vector<int> const& indices) {
    std::vector<Vec3<>> result;
    for (int const index : indices) result.push_back(points[static_cast<std::size_t>(index)]);
    return result;
}

using Quaternion = std::array<double, 4>;

inline Vec3<> rotated(Quaternion const& q, Vec3<> const& x) {
    Vec3<> const v{q[1], q[2], q[3]};
    Vec3<> const t = 2.0 * cross(v, x);
    return x + t * q[0] + cross(v, t);
}

/// The symmetric matrix F with q·F q = Σ x·R(q) y for every unit quaternion q, from the sums of x_a y_b: its
/// eigenvector of the largest eigenvalue is the best rotation of y to x (B. K. P. Horn, J. Opt. Soc. Am. A 4, 629
/// (1987); E. A. Coutsias, C. Seok, K. A. Dill, J. Comput. Chem. 25, 1849 (2004)).
inline Matrix4 rotation_matrix(std::array<Vec3<>, 3> const& s) {
    auto const& [x, y, z] = s;  // x.y is Σ x_x y_y
    return {{{x.x + y.y + z.z, z.y - y.z, x.z - z.x, y.x - x.y},
             {z.y - y.z, x.x - y.y - z.z, x.y + y.x, x.z + z.x},
             {x.z - z.x, x.y + y.x, y.y - x.x - z.z, y.z + z.y},
             {y.x - x.y, x.z + z.x, y.z + z.y, z.z - x.x - y.y}}};
}
inline Matrix4 rotation_matrix(std::vector<Vec3<>> const& x, std::vector<Vec3<>> const& y) {
    std::array<Vec3<>, 3> sums;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) sums[axis] += y[i] * x[i][axis];
    return rotation_matrix(sums);
}

}  // namespace trotter::reference
