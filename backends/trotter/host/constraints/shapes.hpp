// The shapes of constraint clusters that have solvers of their own: rigid triangles and stars.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/host/constraints/cluster.hpp>

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
inline std::optional<TriangleOfParticles> as_triangle(std::vector<TiedPair> const& cluster, std::vector<double> const& masses) {
    if (cluster.size() != 3) return {};
    std::size_t longest = 0;
    for (std::size_t n : {1u, 2u})
        if (cluster[n].distance > cluster[longest].distance) longest = n;
    int const b = cluster[longest].particle1, c = cluster[longest].particle2;
    auto const& other = cluster[longest == 0 ? 1 : 0];
    int const a = other.particle1 == b || other.particle1 == c ? other.particle2 : other.particle1;
    auto const distance = [&](int i, int j) {
        for (auto const& pair : cluster)
            if (std::minmax(pair.particle1, pair.particle2) == std::minmax(i, j)) return pair.distance;
        return 0.0;
    };
    double const ab = distance(a, b), ac = distance(a, c), bc = distance(b, c);
    if (ab == 0 || ac == 0) return {};  // there is no such constraint
    double const along = (ab * ab + ac * ac - bc * bc) / (2 * ab), across_square = (ac - along) * (ac + along);
    if (!(across_square > 1e-4 * ac * ac)) return {};
    auto const mass = [&](int i) { return masses[static_cast<std::size_t>(i)]; };
    double const total = mass(a) + mass(b) + mass(c);
    double const across = std::sqrt(across_square);
    return TriangleOfParticles{{a, b, c}, {mass(b) / total, mass(c) / total, ab, along, across, 1 / ab, 1 / across}};
}

/// A particle with others at constrained distances.
struct StarOfParticles {
    int centre = 0;
    std::vector<int> ends;
    std::vector<double> distances;  ///< of the ends [nm]
    std::vector<int> constraints;   ///< their numbers in the System
};

/// The cluster as a star, if all its constraints share a particle.
inline std::optional<StarOfParticles> as_star(std::vector<TiedPair> const& cluster) {
    for (int centre : {cluster[0].particle1, cluster[0].particle2}) {
        bool const is_shared = std::ranges::all_of(
            cluster, [centre](TiedPair const& pair) { return pair.particle1 == centre || pair.particle2 == centre; });
        if (!is_shared) continue;
        StarOfParticles star{.centre = centre};
        for (auto const& pair : cluster) {
            star.ends.push_back(pair.particle1 == centre ? pair.particle2 : pair.particle1);
            star.distances.push_back(pair.distance);
            star.constraints.push_back(pair.constraint);
        }
        return star;
    }
    return {};
}

}  // namespace trotter
