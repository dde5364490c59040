// Holds distances between particles: on positions and on velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include <trotter/particles.hpp>

#include <trotter/host/constraints/general.hpp>
#include <trotter/host/constraints/settle.hpp>
#include <trotter/host/constraints/shake.hpp>
#include <trotter/host/threads.hpp>

namespace trotter {

/// All constraints of a System. Clusters of constraints that share particles are independent of each other.
class ConstraintSolver {
public:
    [[gnu::cold]] explicit ConstraintSolver(Particles const& particles) : clusters_(constrained_groups(particles)) {
        for (auto const& cluster : constraint_clusters(particles, clusters_)) {
            count_ += static_cast<int>(cluster.size());
            find_kind(*this, [&](auto& kind) { return kind.take(cluster, particles.masses); });
        }
    }

    /// Moves `positions` so that every distance d has |d² - d0²| ≤ 2 tolerance d0². Each constraint pushes along its
    /// direction at `start`, in proportion to the inverse masses: momentum is conserved, and angular momentum about the
    /// positions at `start`. Throws SimulationError that names a constraint which cannot be satisfied.
    void apply_to_positions(std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions, double tolerance,
                            Threads& threads) const {
        double const reachable = std::max(tolerance, smallest_tolerance);
        run_tasks(threads,
                  [&](auto const& kind, int task) { kind.apply_to_positions(task, start, positions, reachable); });
    }

    /// Takes out of `velocities` what would change a distance at `positions`, to rounding whatever the tolerance is.
    void apply_to_velocities(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities, double,
                             Threads& threads) const {
        run_tasks(threads, [&](auto const& kind, int task) { kind.apply_to_velocities(task, positions, velocities); });
    }

    bool empty() const { return count_ == 0; }

    /// Particles that constraints connect, ascending; groups in the order of their first particle.
    std::vector<std::vector<int>> clusters() const { return clusters_; }

    /// Constraints with a massive end: each takes a degree of freedom.
    int count() const { return count_; }

private:
    /// One round of tasks over all kinds of clusters, the last kind first: its tasks can be long.
    template <class Body> void run_tasks(Threads& threads, Body const& body) const {
        int total = 0;
        find_kind(*this, [&](auto const& kind) { return total += kind.tasks(), false; });
        threads.run(total, [&](int n) {
            int task = total - 1 - n;
            find_kind(*this, [&](auto const& kind) {
                if (task >= kind.tasks()) return task -= kind.tasks(), false;
                return body(kind, task), true;
            });
        });
    }
    /// Asks kind after kind, until one says yes.
    template <class Self, class Asks> static void find_kind(Self& self, Asks const& asks) {
        (void)(asks(self.triangles_) || asks(self.pairs_) || asks(self.stars2_) || asks(self.stars3_)
               || asks(self.networks_));
    }

    int count_ = 0;
    std::vector<std::vector<int>> clusters_;
    // The first that takes a cluster has it.
    RigidTriangles triangles_;
    Stars<1> pairs_;
    Stars<2> stars2_;
    Stars<3> stars3_;
    ConstraintNetworks networks_;
};

}  // namespace trotter
