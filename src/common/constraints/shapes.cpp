// Finds clusters of constraints that share particles, and triangles and stars among them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include <trotter/common/constraints/shapes.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/error.hpp>

namespace trotter {

std::vector<std::vector<int>> constrained_groups(Particles const& particles) {
    Connections connections(particles.count());
    for (auto const& constraint : particles.constraints)
        if (!ties_nothing(particles, constraint)) connections.connect(constraint.particle1, constraint.particle2);
    std::vector<std::vector<int>> groups;
    for (auto& members : connections.groups())
        if (members.size() > 1) groups.push_back(std::move(members));
    return groups;
}

std::vector<std::vector<TiedPair>> constraint_clusters(Particles const& particles,
                                                       std::vector<std::vector<int>> const& groups) {
    std::vector<std::size_t> cluster_of(particles.masses.size());
    for (std::size_t n = 0; n < groups.size(); ++n)
        for (int member : groups[n]) cluster_of[static_cast<std::size_t>(member)] = n;
    std::vector<std::vector<TiedPair>> clusters(groups.size());
    for (std::size_t n = 0; n < groups.size(); ++n) clusters[n].reserve(groups[n].size());
    for (std::size_t n = 0; n < particles.constraints.size(); ++n)
        if (auto const& c = particles.constraints[n]; !ties_nothing(particles, c))
            clusters[cluster_of[static_cast<std::size_t>(c.particle1)]].push_back(
                {c.particle1, c.particle2, c.distance, static_cast<int>(n)});
    return clusters;
}
std::vector<std::vector<TiedPair>> constraint_clusters(Particles const& particles) {
    return constraint_clusters(particles, constrained_groups(particles));
}

void throw_unsatisfied(TiedPair const& pair, double reached, int iterations) {
    char distances[120];
    std::snprintf(distances, sizeof distances,
                  " could not be satisfied: after %d iterations it has %.9g nm, expected %.9g nm", iterations, reached,
                  pair.distance);
    throw SimulationError("constraint " + std::to_string(pair.constraint) + " between particles "
                          + std::to_string(pair.particle1) + " and " + std::to_string(pair.particle2) + distances);
}

std::optional<TriangleOfParticles> as_triangle(std::vector<TiedPair> const& cluster,
                                               std::vector<double> const& masses) {
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
    if (ab == 0 || ac == 0) return {};  // not constrained
    double const along = (ab * ab + ac * ac - bc * bc) / (2 * ab), across_square = (ac - along) * (ac + along);
    if (!(across_square > 1e-4 * ac * ac)) return {};
    auto const mass = [&](int i) { return masses[static_cast<std::size_t>(i)]; };
    double const total = mass(a) + mass(b) + mass(c);
    double const across = std::sqrt(across_square);
    return TriangleOfParticles{{a, b, c}, {mass(b) / total, mass(c) / total, ab, along, across, 1 / ab, 1 / across}};
}

std::optional<StarOfParticles> as_star(std::vector<TiedPair> const& cluster) {
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
