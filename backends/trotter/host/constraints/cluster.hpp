// Constraints that share particles, and what is said when one cannot be satisfied.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/molecules.hpp>
#include <trotter/particles.hpp>

namespace trotter {

/// A constraint with a massive end, and its number in the System.
struct TiedPair {
    int particle1 = 0, particle2 = 0;
    double distance = 0;  ///< [nm]
    int constraint = 0;
};

/// Groups of constraints that share no particle with another group. Constraints between massless particles are left
/// out.
inline std::vector<std::vector<TiedPair>> constraint_clusters(Particles const& particles) {
    Connections connections(particles.count());
    std::vector<TiedPair> pairs;
    for (std::size_t n = 0; n < particles.constraints.size(); ++n) {
        auto const& [i, j, distance] = particles.constraints[n];
        if (particles.masses[static_cast<std::size_t>(i)] == 0 && particles.masses[static_cast<std::size_t>(j)] == 0)
            continue;
        connections.connect(i, j);
        pairs.push_back({i, j, distance, static_cast<int>(n)});
    }
    std::vector<std::size_t> cluster_of(particles.masses.size());
    std::size_t count = 0;
    for (auto const& members : connections.groups()) {
        if (members.size() == 1) continue;
        for (int member : members) cluster_of[static_cast<std::size_t>(member)] = count;
        ++count;
    }
    std::vector<std::vector<TiedPair>> clusters(count);
    for (auto const& pair : pairs) clusters[cluster_of[static_cast<std::size_t>(pair.particle1)]].push_back(pair);
    return clusters;
}

/// How far off a squared distance is, in units of the relative tolerance: |d² - d0²| / (2 d0²) ≈ |d - d0| / d0.
template <class T> T distance_error(T const& square, T const& wanted_square) {
    T const difference = square - wanted_square;
    return (difference < 0 ? -difference : difference) / (2 * wanted_square);
}

/// Iterations cannot come closer than rounding lets them.
inline constexpr double smallest_tolerance = 4e-15;

[[noreturn]] inline void throw_unsatisfied(TiedPair const& pair, double reached, int iterations) {
    char distances[120];
    std::snprintf(distances, sizeof distances,
                  " could not be satisfied: after %d iterations it has %.9g nm, expected %.9g nm", iterations, reached,
                  pair.distance);
    throw SimulationError("constraint " + std::to_string(pair.constraint) + " between particles "
                          + std::to_string(pair.particle1) + " and " + std::to_string(pair.particle2) + distances);
}

}  // namespace trotter
