// Divides particles into rigid triangles, stars of constraints, free particles, and constraint networks.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <trotter/common/constraints/shapes.hpp>
#include <trotter/core/particles.hpp>

namespace trotter::device {

enum class ClusterKind { triangle, star1, star2, star3, free, massless };
inline constexpr std::size_t cluster_kinds = 6;

/// Particles of a cluster: a triangle's a, b, c; a star's center, then its ends; or one unconstrained particle.
constexpr int particles_of(ClusterKind kind) {
    constexpr std::array<int, cluster_kinds> counts{3, 2, 3, 4, 1, 1};
    return counts[static_cast<std::size_t>(kind)];
}
/// Number of parameters of a shape: the members of `Triangle`, in order, or the distances of a star.
constexpr int numbers_of(ClusterKind kind) {
    constexpr std::array<int, cluster_kinds> counts{7, 1, 2, 3, 0, 0};
    return counts[static_cast<std::size_t>(kind)];
}

/// Kernel parameters: members and ranges of all kinds, and shapes.
inline constexpr char const* cluster_parameters =
    "GLOBAL const int* RESTRICT members, GLOBAL const int* RESTRICT ranges, GLOBAL const coordinate* RESTRICT shapes";

/// All clusters of one kind. Equal shapes are stored once.
struct ClusterList {
    ClusterKind kind{};
    std::vector<std::int32_t> members;  ///< for each cluster its particles, then its shape index
    std::vector<double> shapes;

    std::size_t width() const { return static_cast<std::size_t>(particles_of(kind)) + 1; }
    std::size_t count() const { return members.size() / width(); }
};

/// Assigns every particle to exactly one cluster or network; networks are constraints of any other shape.
struct Clusters {
    std::array<ClusterList, cluster_kinds> lists;
    std::vector<std::vector<TiedPair>> networks;

    explicit Clusters(Particles const& particles);

private:
    void add(ClusterKind kind, std::vector<int> const& members, std::vector<double> const& shape,
             std::vector<bool>& is_taken);

    std::array<std::map<std::vector<double>, std::int32_t>, cluster_kinds> shape_numbers_;
};

}  // namespace trotter::device
