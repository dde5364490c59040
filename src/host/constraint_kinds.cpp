// The kinds of clusters of constraints, each with a solver of its own.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>
#include <vector>

#include <trotter/host/constraints.hpp>
#include <trotter/host/constraints/general.hpp>
#include <trotter/host/constraints/settle.hpp>
#include <trotter/host/constraints/shake.hpp>

namespace trotter {

struct ConstraintSolver::Kinds {
    // The first that takes a cluster has it.
    RigidTriangles triangles;
    Stars<1> pairs;
    Stars<2> stars2;
    Stars<3> stars3;
    ConstraintNetworks networks;

    /// One round of tasks over all kinds of clusters, the last kind first: its tasks can be long.
    template <class Body> void run_tasks(Threads& threads, Body const& body) const {
        int total = 0;
        find(*this, [&](auto const& kind) { return total += kind.tasks(), false; });
        threads.run(total, [&](int n) {
            int task = total - 1 - n;
            find(*this, [&](auto const& kind) {
                if (task >= kind.tasks()) return task -= kind.tasks(), false;
                return body(kind, task), true;
            });
        });
    }
    /// Asks kind after kind, until one says yes.
    template <class Self, class Asks> static void find(Self& self, Asks const& asks) {
        (void)(asks(self.triangles) || asks(self.pairs) || asks(self.stars2) || asks(self.stars3)
               || asks(self.networks));
    }
};

ConstraintSolver::ConstraintSolver(Particles const& particles)
    : clusters_(constrained_groups(particles)), kinds_(std::in_place) {
    for (auto const& cluster : constraint_clusters(particles, clusters_)) {
        count_ += static_cast<int>(cluster.size());
        Kinds::find(*kinds_, [&](auto& kind) { return kind.take(cluster, particles.masses); });
    }
}
ConstraintSolver::ConstraintSolver(ConstraintSolver&&) noexcept = default;
ConstraintSolver::~ConstraintSolver() = default;

void ConstraintSolver::apply_to_positions(std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions,
                                          double tolerance, Threads& threads) const {
    double const reachable = std::max(tolerance, smallest_tolerance);
    auto const part = threads.profile.part("constraints");
    kinds_->run_tasks(threads,
                      [&](auto const& kind, int task) { kind.apply_to_positions(task, start, positions, reachable); });
}

void ConstraintSolver::apply_to_velocities(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities,
                                           double, Threads& threads) const {
    auto const part = threads.profile.part("constraints");
    kinds_->run_tasks(threads,
                      [&](auto const& kind, int task) { kind.apply_to_velocities(task, positions, velocities); });
}

}  // namespace trotter
