// Finds clusters of constraints that share particles, and reports those that cannot be satisfied.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include <trotter/core/particles.hpp>

namespace trotter {

/// A constraint with a massive end; `constraint` is its index in the System.
struct TiedPair {
    int particle1 = 0, particle2 = 0;
    double distance = 0;  ///< [nm]
    int constraint = 0;
};

/// Whether both particles are massless, so that the constraint has no effect.
inline bool ties_nothing(Particles const& particles, Constraint const& constraint) {
    return particles.masses[static_cast<std::size_t>(constraint.particle1)] == 0
           && particles.masses[static_cast<std::size_t>(constraint.particle2)] == 0;
}

/// Particles connected by constraints with a massive end, ascending; groups in the order of their first particle.
[[gnu::cold]] std::vector<std::vector<int>> constrained_groups(Particles const& particles);

/// The constraints of each of these groups, without those between massless particles.
[[gnu::cold]] std::vector<std::vector<TiedPair>> constraint_clusters(Particles const& particles,
                                                                    std::vector<std::vector<int>> const& groups);
std::vector<std::vector<TiedPair>> constraint_clusters(Particles const& particles);

/// Relative error of a squared distance: |d² - d0²| / (2 d0²) ≈ |d - d0| / d0.
template <class T> T distance_error(T const& square, T const& wanted_square) {
    T const difference = square - wanted_square;
    return (difference < 0 ? -difference : difference) / (2 * wanted_square);
}

/// Rounding limit of the iterations.
inline constexpr double smallest_tolerance = 4e-15;

/// The tolerance of the iterations, tighter than requested: the remaining error, divided by the step size, enters the
/// velocities; 1e-5 of 1 nm in 0.5 fs is 0.02 nm/ps.
inline double closer(double tolerance) { return std::min(tolerance, std::max(tolerance / 1000, 1e-13)); }

[[noreturn, gnu::cold]] void throw_unsatisfied(TiedPair const& pair, double reached, int iterations);

}  // namespace trotter
