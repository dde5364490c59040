// Holds distances between particles: on positions and on velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/owned.hpp>
#include <trotter/particles.hpp>

#include <trotter/host/threads.hpp>

namespace trotter {

/// All constraints of a System. Clusters of constraints that share particles are independent of each other.
class ConstraintSolver {
public:
    explicit ConstraintSolver(Particles const& particles);
    ConstraintSolver(ConstraintSolver&&) noexcept;
    ~ConstraintSolver();

    /// Moves `positions` so that every distance d has |d² - d0²| ≤ 2 tolerance d0². Each constraint pushes along its
    /// direction at `start`, in proportion to the inverse masses: momentum is conserved, and angular momentum about the
    /// positions at `start`. Throws SimulationError that names a constraint which cannot be satisfied.
    void apply_to_positions(std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions, double tolerance,
                            Threads& threads) const;

    /// Takes out of `velocities` what would change a distance at `positions`, to rounding whatever the tolerance is.
    void apply_to_velocities(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities, double tolerance,
                             Threads& threads) const;

    bool empty() const { return count_ == 0; }

    /// Particles that constraints connect, ascending; groups in the order of their first particle.
    std::vector<std::vector<int>> const& clusters() const { return clusters_; }

    /// Constraints with a massive end: each takes a degree of freedom.
    int count() const { return count_; }

private:
    struct Kinds;

    int count_ = 0;
    std::vector<std::vector<int>> clusters_;
    Owned<Kinds> kinds_;
};

}  // namespace trotter
