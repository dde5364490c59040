// Which particles move together: rigid triangles, stars of constraints, free particles, and networks of constraints.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <trotter/host/constraints/shapes.hpp>
#include <trotter/particles.hpp>

namespace trotter::device {

enum class ClusterKind { triangle, star1, star2, star3, free, massless };
inline constexpr std::size_t cluster_kinds = 6;

/// Particles of a cluster: a triangle's a, b, c; a star's centre, then its ends; or one particle without constraints.
constexpr int particles_of(ClusterKind kind) {
    constexpr std::array<int, cluster_kinds> counts{3, 2, 3, 4, 1, 1};
    return counts[static_cast<std::size_t>(kind)];
}
/// The numbers of a shape: those of `Triangle`, in order; or the distances of a star.
constexpr int numbers_of(ClusterKind kind) {
    constexpr std::array<int, cluster_kinds> counts{7, 1, 2, 3, 0, 0};
    return counts[static_cast<std::size_t>(kind)];
}

/// All clusters of one kind. Equal shapes are kept once.
struct ClusterList {
    ClusterKind kind{};
    std::vector<std::int32_t> members;  ///< for each cluster its particles, then the number of its shape
    std::vector<double> shapes;

    std::size_t width() const { return static_cast<std::size_t>(particles_of(kind)) + 1; }
    std::size_t count() const { return members.size() / width(); }
};

/// Every particle, in exactly one cluster, or in a network: constraints of any other shape.
struct Clusters {
    std::array<ClusterList, cluster_kinds> lists;
    std::vector<std::vector<TiedPair>> networks;

    explicit Clusters(Particles const& particles) {
        for (std::size_t n = 0; n < lists.size(); ++n) lists[n].kind = static_cast<ClusterKind>(n);
        std::vector<bool> is_taken(particles.masses.size());
        for (auto const& cluster : constraint_clusters(particles)) {
            if (auto const triangle = as_triangle(cluster, particles.masses)) {
                auto const& t = triangle->shape;
                add(ClusterKind::triangle, {triangle->particles.begin(), triangle->particles.end()},
                    {t.mass_b, t.mass_c, t.length, t.along, t.across, t.inverse_length, t.inverse_across}, is_taken);
            } else if (auto const star = as_star(cluster); star && star->ends.size() <= 3) {
                std::vector<int> members{star->centre};
                members.insert(members.end(), star->ends.begin(), star->ends.end());
                add(static_cast<ClusterKind>(star->ends.size()), members, star->distances, is_taken);
            } else {
                networks.push_back(cluster);
                for (auto const& pair : cluster)
                    for (int const particle : {pair.particle1, pair.particle2})
                        is_taken[static_cast<std::size_t>(particle)] = true;
            }
        }
        for (std::size_t i = 0; i < is_taken.size(); ++i)
            if (!is_taken[i])
                add(particles.masses[i] == 0 ? ClusterKind::massless : ClusterKind::free, {static_cast<int>(i)}, {},
                    is_taken);
    }

private:
    void add(ClusterKind kind, std::vector<int> const& members, std::vector<double> const& shape,
             std::vector<bool>& is_taken) {
        auto const k = static_cast<std::size_t>(kind);
        auto const [place, is_new] =
            shape_numbers_[k].try_emplace(shape, static_cast<std::int32_t>(shape_numbers_[k].size()));
        if (is_new) lists[k].shapes.insert(lists[k].shapes.end(), shape.begin(), shape.end());
        for (int const member : members) {
            lists[k].members.push_back(member);
            is_taken[static_cast<std::size_t>(member)] = true;
        }
        lists[k].members.push_back(place->second);
    }

    std::array<std::map<std::vector<double>, std::int32_t>, cluster_kinds> shape_numbers_;
};

}  // namespace trotter::device
