// Solver for all constraints of a System, which selects a method for each kind of cluster.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/constraints.hpp>
#include <trotter/common/constraints/general.hpp>
#include <trotter/common/constraints/kernels.hpp>
#include <trotter/common/constraints/lane_clusters.hpp>
#include <trotter/error.hpp>

namespace trotter {
namespace {

/// Rigid triangles. `explain` finds the error in a failed cluster by solving it again alone, bitwise equally.
class Triangles {
public:
    static constexpr std::size_t members = 3;
    static ConstraintKernel kernel(ConstraintKernels const& kernels) { return kernels.triangles; }

    bool take(std::vector<TiedPair> const& cluster, std::vector<double> const& masses, LaneClusters& clusters) {
        auto const triangle = as_triangle(cluster, masses);
        if (!triangle) return false;
        auto const& t = triangle->shape;
        std::array const numbers{t.mass_b, t.mass_c, t.length, t.along, t.across, t.inverse_length, t.inverse_across};
        clusters.add(triangle->particles, numbers);
        return true;
    }

    static void explain(LaneClusters const& clusters, std::size_t group, std::size_t lane, VectorsFrom start,
                        Vec3<> const* positions, double) {
        auto const particle = [&](std::size_t n) {
            return static_cast<std::size_t>(clusters.particle(group, n, lane));
        };
        auto const number = [&](std::size_t n) { return clusters.number(group, n, lane); };
        auto const edges = [&](auto const& of) {
            return TriangleEdges<double>{of[particle(1)] - of[particle(0)], of[particle(2)] - of[particle(0)]};
        };
        Triangle<double> const shape{number(0), number(1), number(2), number(3), number(4), number(5), number(6)};
        auto const moved = edges(positions);
        if (!std::isnan(settled(shape, edges(start), moved).ab.x)) return;
        std::array<char, 160> distances;
        std::snprintf(distances.data(), distances.size(),
                      "; their distances, %.9g, %.9g and %.9g nm, are too far from the"
                      " constrained ones",
                      norm(moved.ab), norm(moved.ac), norm(moved.ac - moved.ab));
        throw SimulationError("the constraints that make particles " + std::to_string(particle(0)) + ", "
                              + std::to_string(particle(1)) + " and " + std::to_string(particle(2))
                              + " a rigid triangle cannot be satisfied" + distances.data());
    }
};

template <std::size_t K> class Stars {
public:
    static constexpr std::size_t members = K + 1;
    static ConstraintKernel kernel(ConstraintKernels const& kernels) { return kernels.stars[K - 1]; }

    bool take(std::vector<TiedPair> const& cluster, std::vector<double> const& masses, LaneClusters& clusters) {
        if (cluster.size() != K) return false;
        auto const star = as_star(cluster);
        if (!star) return false;
        auto const inverse_mass = [&](int particle) { return 1 / masses[static_cast<std::size_t>(particle)]; };
        std::array<int, K + 1> particles{star->centre};
        std::array<double, 2 * K + 1> numbers;
        constraints_.resize(clusters.next_slot() + 1);
        for (std::size_t i = 0; i < K; ++i) {
            particles[i + 1] = star->ends[i];
            numbers[i] = star->distances[i];
            numbers[K + i] = inverse_mass(star->ends[i]);
            constraints_.back()[i] = star->constraints[i];
        }
        numbers[2 * K] = inverse_mass(star->centre);
        clusters.add(particles, numbers);
        return true;
    }

    void explain(LaneClusters const& clusters, std::size_t group, std::size_t lane, VectorsFrom start,
                 Vec3<> const* positions, double tolerance) const {
        auto const particle = [&](std::size_t n) {
            return static_cast<std::size_t>(clusters.particle(group, n, lane));
        };
        Star<double, K> star{.centre_inverse_mass = clusters.number(group, 2 * K, lane)};
        Arms<double, K> directions, arms;
        for (std::size_t i = 0; i < K; ++i) {
            star.distances[i] = clusters.number(group, i, lane);
            star.end_inverse_masses[i] = clusters.number(group, K + i, lane);
            directions[i] = start[particle(i + 1)] - start[particle(0)];
            arms[i] = positions[particle(i + 1)] - positions[particle(0)];
        }
        auto const solution = solve_star(star, directions, arms, tolerance);
        std::size_t const arm = solution.unsatisfied;
        if (arm == K) return;
        throw_unsatisfied({static_cast<int>(particle(0)), static_cast<int>(particle(arm + 1)), star.distances[arm],
                           constraints_[group * clusters.lanes() + lane][arm]},
                          norm(solution.arms[arm]), solution.iterations);
    }

private:
    std::vector<std::array<int, K>> constraints_;  // their indices in the System, per group and lane
};

/// All clusters of a shape, in SIMD groups.
template <class Shape> class ShapedClusters {
public:
    explicit ShapedClusters(ConstraintKernels const& kernels)
        : kernel_(Shape::kernel(kernels)), clusters_(kernels.lanes, Shape::members) {}

    bool take(std::vector<TiedPair> const& cluster, std::vector<double> const& masses) {
        return shape_.take(cluster, masses, clusters_);
    }
    void end_block() { clusters_.end_block(); }

    std::size_t groups() const { return clusters_.groups(); }
    std::size_t groups_in_task() const { return 256 / clusters_.lanes(); }
    std::pair<std::size_t, std::size_t> groups_of(std::size_t block) const { return clusters_.groups_of(block); }

    void apply_to_positions(std::size_t begin, std::size_t end, VectorsFrom start, Vec3<>* positions,
                            double tolerance) const {
        std::size_t const group =
            begin + kernel_.apply_to_positions(clusters_.view(begin, end), start, positions, closer(tolerance));
        if (group == end) return;
        for (std::size_t lane = 0; lane < clusters_.lanes(); ++lane)
            shape_.explain(clusters_, group, lane, start, positions, closer(tolerance));
        // Later groups have not been solved, so this must not return, even if no cause was found.
        throw SimulationError("a constraint could not be satisfied");
    }
    void apply_to_velocities(std::size_t begin, std::size_t end, Vec3<> const* positions, Vec3<>* velocities) const {
        kernel_.apply_to_velocities(clusters_.view(begin, end), positions, velocities);
    }

private:
    ConstraintKernel kernel_;
    Shape shape_;
    LaneClusters clusters_;
};

/// Clusters of arbitrary topology, one per task.
class Networks {
public:
    bool take(std::vector<TiedPair> const& cluster, std::vector<double> const& masses) {
        networks_.emplace_back(cluster, masses);
        return true;
    }
    void end_block() { block_end_.push_back(networks_.size()); }

    std::size_t groups() const { return networks_.size(); }
    static constexpr std::size_t groups_in_task() { return 1; }
    std::pair<std::size_t, std::size_t> groups_of(std::size_t block) const {
        return {block > 0 ? block_end_[block - 1] : 0, block_end_[block]};
    }

    void apply_to_positions(std::size_t begin, std::size_t end, VectorsFrom start, Vec3<>* positions,
                            double tolerance) const {
        for (std::size_t n = begin; n < end; ++n) networks_[n].apply_to_positions(start, positions, tolerance);
    }
    void apply_to_velocities(std::size_t begin, std::size_t end, Vec3<> const* positions, Vec3<>* velocities) const {
        for (std::size_t n = begin; n < end; ++n) networks_[n].apply_to_velocities(positions, velocities);
    }

private:
    std::vector<ConstraintNetwork> networks_;
    std::vector<std::size_t> block_end_;
};

/// Returns the ends of blocks: after `grain` particles, or later to keep clusters whole; at a multiple of every
/// instruction set's lanes if there is one soon.
std::vector<std::size_t> ends_of_blocks(std::size_t particles, std::vector<std::vector<int>> const& clusters,
                                        std::size_t grain) {
    std::vector<std::size_t> ends;
    auto cluster = clusters.begin();
    for (std::size_t i = 0, begin = 0, reach = 0; i < particles; ++i) {
        for (; cluster != clusters.end() && static_cast<std::size_t>(cluster->front()) == i; ++cluster)
            reach = std::max(reach, static_cast<std::size_t>(cluster->back()));
        std::size_t const size = i + 1 - begin;
        bool const is_good = i >= reach && (size >= 2 * grain || (size >= grain && (i + 1) % 8 == 0));
        if (is_good || i + 1 == particles) ends.push_back(begin = i + 1);
    }
    return ends;
}

}  // namespace

struct ConstraintSolver::Kinds {
    explicit Kinds(ConstraintKernels const& kernels)
        : triangles(kernels), pairs(kernels), stars2(kernels), stars3(kernels) {}

    // A cluster belongs to the first kind that accepts it.
    ShapedClusters<Triangles> triangles;
    ShapedClusters<Stars<1>> pairs;
    ShapedClusters<Stars<2>> stars2;
    ShapedClusters<Stars<3>> stars3;
    Networks networks;

    /// Runs all kinds of clusters in one parallel loop, the last kind first, as its tasks can be long.
    template <class Body> void run_tasks(Threads& threads, Body const& body) const {
        auto const tasks = [](auto const& kind) {
            return (kind.groups() + kind.groups_in_task() - 1) / kind.groups_in_task();
        };
        std::size_t total = 0;
        find(*this, [&](auto const& kind) { return total += tasks(kind), false; });
        threads.run(static_cast<int>(total), [&](int n) {
            std::size_t task = total - 1 - static_cast<std::size_t>(n);
            find(*this, [&](auto const& kind) {
                if (task >= tasks(kind)) return task -= tasks(kind), false;
                std::size_t const begin = task * kind.groups_in_task();
                body(kind, begin, std::min(begin + kind.groups_in_task(), kind.groups()));
                return true;
            });
        });
    }
    /// Runs all kinds of one block, serially.
    template <class Body> void run_block(std::size_t block, Body const& body) const {
        find(*this, [&](auto const& kind) {
            auto const [begin, end] = kind.groups_of(block);
            if (begin < end) body(kind, begin, end);
            return false;
        });
    }
    /// Calls `asks` for each kind until it returns true.
    template <class Self, class Asks> static void find(Self& self, Asks const& asks) {
        (void)(asks(self.triangles) || asks(self.pairs) || asks(self.stars2) || asks(self.stars3)
               || asks(self.networks));
    }
};

static double reachable(double tolerance) { return std::max(tolerance, smallest_tolerance); }

ConstraintSolver::ConstraintSolver(Particles const& particles)
    : ConstraintSolver(particles, constraint_kernels<PlainLanes>()) {}

ConstraintSolver::ConstraintSolver(Particles const& particles, ConstraintKernels const& kernels)
    : clusters_(constrained_groups(particles)),
      block_ends_(ends_of_blocks(particles.masses.size(), clusters_, 512)),
      kinds_(std::in_place, kernels) {
    auto const tied = constraint_clusters(particles, clusters_);
    std::size_t next = 0;
    for (std::size_t const end : block_ends_) {
        for (; next < tied.size() && static_cast<std::size_t>(clusters_[next].front()) < end; ++next) {
            count_ += static_cast<int>(tied[next].size());
            Kinds::find(*kinds_, [&](auto& kind) { return kind.take(tied[next], particles.masses); });
        }
        Kinds::find(*kinds_, [](auto& kind) { return kind.end_block(), false; });
    }
}
ConstraintSolver::ConstraintSolver(ConstraintSolver&&) noexcept = default;
ConstraintSolver::~ConstraintSolver() = default;

void ConstraintSolver::apply_to_positions(std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions,
                                          double tolerance, Threads& threads) const {
    auto const part = threads.profile.part("constraints");
    kinds_->run_tasks(threads, [&](auto const& kind, std::size_t begin, std::size_t end) {
        kind.apply_to_positions(begin, end, {start.data()}, positions.data(), reachable(tolerance));
    });
}

void ConstraintSolver::apply_to_velocities(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities,
                                           double, Threads& threads) const {
    auto const part = threads.profile.part("constraints");
    kinds_->run_tasks(threads, [&](auto const& kind, std::size_t begin, std::size_t end) {
        kind.apply_to_velocities(begin, end, positions.data(), velocities.data());
    });
}

void ConstraintSolver::apply_to_positions(ParticleBlock const& block, Vec3<> const* start, Vec3<>* positions,
                                          double tolerance) const {
    kinds_->run_block(block.number, [&](auto const& kind, std::size_t begin, std::size_t end) {
        kind.apply_to_positions(begin, end, {start, block.begin}, positions, reachable(tolerance));
    });
}

void ConstraintSolver::apply_to_velocities(ParticleBlock const& block, Vec3<> const* positions,
                                           Vec3<>* velocities) const {
    kinds_->run_block(block.number, [&](auto const& kind, std::size_t begin, std::size_t end) {
        kind.apply_to_velocities(begin, end, positions, velocities);
    });
}

}  // namespace trotter
