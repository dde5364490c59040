// Applies distance constraints to positions and velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/owned.hpp>
#include <trotter/core/particles.hpp>

#include <trotter/common/threads/threads.hpp>

namespace trotter {

struct ConstraintKernels;

/// Consecutive particles without constraints to particles outside the block.
struct ParticleBlock {
    std::size_t number, begin, end;

    std::size_t size() const { return end - begin; }
};

/// All constraints of a System. Clusters of constraints that share particles are solved independently.
class ConstraintSolver {
public:
    explicit ConstraintSolver(Particles const& particles);
    /// Uses loops compiled for some instruction set.
    ConstraintSolver(Particles const& particles, ConstraintKernels const& kernels);
    ConstraintSolver(ConstraintSolver&&) noexcept;
    ~ConstraintSolver();

    /// Moves `positions` so that every distance d has |d² - d0²| ≤ 2 tolerance d0². Each constraint pushes along its
    /// direction at `start`, in proportion to the inverse masses: momentum is conserved, and angular momentum about the
    /// positions at `start`. Throws SimulationError that names the constraint which cannot be satisfied.
    void apply_to_positions(std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions, double tolerance,
                            Threads& threads) const;

    /// Removes the components of `velocities` that change a distance at `positions`, to rounding whatever the
    /// tolerance.
    void apply_to_velocities(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities, double tolerance,
                             Threads& threads) const;

    /// Blocks of some hundred particles, more if distant ones are constrained: integration and constraints can be done
    /// block by block while the data is in the cache.
    std::size_t blocks() const { return block_ends_.size(); }
    ParticleBlock block(std::size_t number) const {
        return {number, number > 0 ? block_ends_[number - 1] : 0, block_ends_[number]};
    }
    /// Constrains one block. `start` has the block's particles only, the other arrays have all.
    void apply_to_positions(ParticleBlock const& block, Vec3<> const* start, Vec3<>* positions, double tolerance) const;
    void apply_to_velocities(ParticleBlock const& block, Vec3<> const* positions, Vec3<>* velocities) const;

    bool empty() const { return count_ == 0; }

    /// Particles connected by constraints, ascending; clusters in the order of their first particle.
    std::vector<std::vector<int>> const& clusters() const { return clusters_; }

    /// Number of constraints with a massive end: each removes a degree of freedom.
    int count() const { return count_; }

private:
    struct Kinds;

    int count_ = 0;
    std::vector<std::vector<int>> clusters_;
    std::vector<std::size_t> block_ends_;
    Owned<Kinds> kinds_;
};

}  // namespace trotter
