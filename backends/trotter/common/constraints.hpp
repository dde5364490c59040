// Holds distances between particles: on positions and on velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/owned.hpp>
#include <trotter/core/particles.hpp>

#include <trotter/common/threads/threads.hpp>

namespace trotter {

struct ConstraintKernels;

/// Consecutive particles that no constraint ties to others.
struct ParticleBlock {
    std::size_t number, begin, end;

    std::size_t size() const { return end - begin; }
};

/// All constraints of a System. Clusters of constraints that share particles are independent of each other.
class ConstraintSolver {
public:
    explicit ConstraintSolver(Particles const& particles);
    /// With loops that are compiled for some instruction set.
    ConstraintSolver(Particles const& particles, ConstraintKernels const& kernels);
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

    /// All particles in blocks of some hundred, more where far ones are tied: what acts on particles and on constraints
    /// can do so block by block, while these are in the processor's caches.
    std::size_t blocks() const { return block_ends_.size(); }
    ParticleBlock block(std::size_t number) const {
        return {number, number > 0 ? block_ends_[number - 1] : 0, block_ends_[number]};
    }
    /// The same for the constraints of one block. `start` has the block's particles only, the others have all.
    void apply_to_positions(ParticleBlock const& block, Vec3<> const* start, Vec3<>* positions, double tolerance) const;
    void apply_to_velocities(ParticleBlock const& block, Vec3<> const* positions, Vec3<>* velocities) const;

    bool empty() const { return count_ == 0; }

    /// Particles that constraints connect, ascending; groups in the order of their first particle.
    std::vector<std::vector<int>> const& clusters() const { return clusters_; }

    /// Constraints with a massive end: each takes a degree of freedom.
    int count() const { return count_; }

private:
    struct Kinds;

    int count_ = 0;
    std::vector<std::vector<int>> clusters_;
    std::vector<std::size_t> block_ends_;
    Owned<Kinds> kinds_;
};

}  // namespace trotter
