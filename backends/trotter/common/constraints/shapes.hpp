// The shapes of constraint clusters that have solvers of their own: rigid triangles and stars.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <vector>

#include <trotter/common/constraints/cluster.hpp>

namespace trotter {

/// What a triangle abc of three constrained distances is: fractions of its mass in b and c, and the edges from a in a
/// frame of its own, ab = (length, 0) and ac = (along, across). [nm]
template <class T> struct Triangle {
    T mass_b{}, mass_c{}, length{}, along{}, across{}, inverse_length{}, inverse_across{};
};

/// A triangle with its particles a, b, c.
struct TriangleOfParticles {
    std::array<int, 3> particles{};
    Triangle<double> shape;
};

/// The cluster as a triangle with some height, if it is one; b and c are the ends of its longest side.
std::optional<TriangleOfParticles> as_triangle(std::vector<TiedPair> const& cluster, std::vector<double> const& masses);

/// A particle with others at constrained distances.
struct StarOfParticles {
    int centre = 0;
    std::vector<int> ends{};
    std::vector<double> distances{};  ///< of the ends [nm]
    std::vector<int> constraints{};   ///< their numbers in the System
};

/// The cluster as a star, if all its constraints share a particle.
std::optional<StarOfParticles> as_star(std::vector<TiedPair> const& cluster);

}  // namespace trotter
