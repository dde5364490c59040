// Constraint clusters with special solvers: rigid triangles and stars.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <vector>

#include <trotter/common/constraints/cluster.hpp>

namespace trotter {

/// A triangle abc of three constrained distances: fractions of its mass in b and c, and the edges from a in a local
/// frame, ab = (length, 0) and ac = (along, across). [nm]
template <class T> struct Triangle {
    T mass_b{}, mass_c{}, length{}, along{}, across{}, inverse_length{}, inverse_across{};
};

/// A triangle with its particles a, b, c.
struct TriangleOfParticles {
    std::array<int, 3> particles{};
    Triangle<double> shape;
};

/// Returns the cluster as a triangle if it is one that is not degenerate; b and c are the ends of its longest side.
std::optional<TriangleOfParticles> as_triangle(std::vector<TiedPair> const& cluster, std::vector<double> const& masses);

/// A central particle with constraints to others.
struct StarOfParticles {
    int centre = 0;
    std::vector<int> ends{};
    std::vector<double> distances{};  ///< one per end [nm]
    std::vector<int> constraints{};   ///< indices in the System
};

/// Returns the cluster as a star if all its constraints share a particle.
std::optional<StarOfParticles> as_star(std::vector<TiedPair> const& cluster);

}  // namespace trotter
