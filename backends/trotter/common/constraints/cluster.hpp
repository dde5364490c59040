// Constraints that share particles, and what is said when one cannot be satisfied.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include <trotter/core/particles.hpp>

namespace trotter {

/// A constraint with a massive end, and its number in the System.
struct TiedPair {
    int particle1 = 0, particle2 = 0;
    double distance = 0;  ///< [nm]
    int constraint = 0;
};

/// Whether the constraint ties nothing: between massless particles.
inline bool ties_nothing(Particles const& particles, Constraint const& constraint) {
    return particles.masses[static_cast<std::size_t>(constraint.particle1)] == 0
           && particles.masses[static_cast<std::size_t>(constraint.particle2)] == 0;
}

/// Particles that constraints with a massive end connect, ascending; groups in the order of their first particle.
[[gnu::cold]] std::vector<std::vector<int>> constrained_groups(Particles const& particles);

/// The constraints of each of these groups. Those between massless particles are left out.
[[gnu::cold]] std::vector<std::vector<TiedPair>> constraint_clusters(Particles const& particles,
                                                                    std::vector<std::vector<int>> const& groups);
std::vector<std::vector<TiedPair>> constraint_clusters(Particles const& particles);

/// How far off a squared distance is, in units of the relative tolerance: |d² - d0²| / (2 d0²) ≈ |d - d0| / d0.
template <class T> T distance_error(T const& square, T const& wanted_square) {
    T const difference = square - wanted_square;
    return (difference < 0 ? -difference : difference) / (2 * wanted_square);
}

/// Iterations cannot come closer than rounding lets them.
inline constexpr double smallest_tolerance = 4e-15;

/// What iterations go to beyond the relative tolerance that is asked for: a step's velocities carry what is left,
/// divided by the step size, which for 1e-5 of 1 nm in 0.5 fs is 0.02 nm/ps.
inline double closer(double tolerance) { return std::min(tolerance, std::max(tolerance / 1000, 1e-13)); }

[[noreturn, gnu::cold]] void throw_unsatisfied(TiedPair const& pair, double reached, int iterations);

}  // namespace trotter
