// The rotation and translation that bring one set of points closest to another.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <span>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter::app {

/// A rotation about a point, then a translation.
struct Superposition {
    Vec3<> from;                                                   ///< center of the moved points [nm]
    std::array<Vec3<>, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< rows of the matrix
    Vec3<> to;                                                     ///< center of the reference [nm]

    /// Where a point comes to lie.
    Vec3<> operator()(Vec3<> const& point) const {
        Vec3<> const d = point - from;
        return to + Vec3<>{dot(rotation[0], d), dot(rotation[1], d), dot(rotation[2], d)};
    }
};

/// Center of points with weights of which at least one is positive.
Vec3<> center(std::span<Vec3<> const> points, std::span<double const> weights);

/// The superposition with the least weighted sum of squared distances: its rotation is the quaternion that belongs to the
/// largest eigenvalue of a symmetric matrix. Source: B. K. P. Horn, J. Opt. Soc. Am. A 4, 629 (1987).
Superposition superpose(std::span<Vec3<> const> moved, std::span<Vec3<> const> reference,
                        std::span<double const> weights);

/// Root of the weighted mean of squared distances between points of the same index [nm].
double root_mean_square_distance(std::span<Vec3<> const> points, std::span<Vec3<> const> reference,
                                 std::span<double const> weights);

/// The points with the given indices.
std::vector<Vec3<>> selected_points(std::span<Vec3<> const> points, std::span<int const> indices);

}  // namespace trotter::app
