// SIMD loops over clusters of constraints, compiled for each instruction set.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include <trotter/common/constraints/lanes.hpp>
#include <trotter/common/constraints/settle.hpp>
#include <trotter/common/constraints/shake.hpp>

namespace trotter {

/// Groups of clusters of one kind; a group has one cluster in each SIMD lane.
struct ClustersInLanes {
    std::int32_t const* particles;    ///< indexed by group, member of the cluster, and lane
    std::uint32_t const* numbers_at;  ///< per group: offset of its parameters, which groups may share
    double const* numbers;            ///< parameters, indexed by parameter and lane
    std::size_t groups;
};

/// Functions for one kind of clusters.
struct ConstraintKernel {
    /// Returns the index of the first group with a cluster that cannot be satisfied, left unchanged; or the number of
    /// groups.
    std::size_t (*apply_to_positions)(ClustersInLanes const&, VectorsFrom start, Vec3<>* positions, double tolerance);
    void (*apply_to_velocities)(ClustersInLanes const&, Vec3<> const* positions, Vec3<>* velocities);
};

/// The kernels for one instruction set.
struct ConstraintKernels {
    std::size_t lanes;
    ConstraintKernel triangles;
    std::array<ConstraintKernel, 3> stars;  ///< with one, two and three constraints
};

/// View of one group.
template <class L, std::size_t members> struct LaneGroup {
    LaneGroup(ClustersInLanes const& clusters, std::size_t group)
        : particles(clusters.particles + group * members * L::count),
          numbers(clusters.numbers + clusters.numbers_at[group]) {}

    std::int32_t const* particles;
    double const* numbers;

    std::int32_t const* member(std::size_t n) const { return particles + n * L::count; }
    L number(std::size_t n) const { return L::load(numbers + n * L::count); }
};

template <class L> class TriangleKernel {
    using Group = LaneGroup<L, 3>;

public:
    [[gnu::flatten]] static std::size_t apply_to_positions(ClustersInLanes const& clusters, VectorsFrom start,
                                                           Vec3<>* positions, double) {
        for (std::size_t n = 0; n < clusters.groups; ++n) {
            Group const group(clusters, n);
            auto const shape = shape_of(group);
            Vec3<L> const a = gather<L>(positions, group.member(0));
            auto const moved = edges_from(a, group, positions);
            auto const edges = settled(shape, edges_from(gather<L>(start, group.member(0)), group, start), moved);
            if (!all_at_most(edges.ab.x, edges.ab.x)) return n;
            scatter_edges(group, a + (moved.centre(shape) - edges.centre(shape)), edges, positions);
        }
        return clusters.groups;
    }
    [[gnu::flatten]] static void apply_to_velocities(ClustersInLanes const& clusters, Vec3<> const* positions,
                                                     Vec3<>* velocities) {
        for (std::size_t n = 0; n < clusters.groups; ++n) {
            Group const group(clusters, n);
            auto const shape = shape_of(group);
            Vec3<L> const a = gather<L>(velocities, group.member(0));
            auto const relative = edges_from(a, group, velocities);
            auto const rigid =
                rigid_motion(shape, edges_from(gather<L>(positions, group.member(0)), group, positions), relative);
            scatter_edges(group, a + (relative.centre(shape) - rigid.centre(shape)), rigid, velocities);
        }
    }

private:
    static Triangle<L> shape_of(Group const& group) {
        return {group.number(0), group.number(1), group.number(2), group.number(3),
                group.number(4), group.number(5), group.number(6)};
    }
    template <class Vectors>
    static TriangleEdges<L> edges_from(Vec3<L> const& a, Group const& group, Vectors const& from) {
        return {gather<L>(from, group.member(1)) - a, gather<L>(from, group.member(2)) - a};
    }
    static void scatter_edges(Group const& group, Vec3<L> const& a, TriangleEdges<L> const& edges, Vec3<>* to) {
        scatter(a, to, group.member(0));
        scatter(a + edges.ab, to, group.member(1));
        scatter(a + edges.ac, to, group.member(2));
    }
};

template <class L, std::size_t K> class StarKernel {
    using Group = LaneGroup<L, K + 1>;

public:
    [[gnu::flatten]] static std::size_t apply_to_positions(ClustersInLanes const& clusters, VectorsFrom start,
                                                           Vec3<>* positions, double tolerance) {
        for (std::size_t n = 0; n < clusters.groups; ++n) {
            Group const group(clusters, n);
            auto const star = star_of(group);
            auto const directions = arms_of(group, start);
            auto const solution = solve_star<L, K>(star, directions, arms_of(group, positions), tolerance);
            if (solution.unsatisfied < K) return n;
            push(group, star, positions, solution.multipliers, directions);
        }
        return clusters.groups;
    }
    [[gnu::flatten]] static void apply_to_velocities(ClustersInLanes const& clusters, Vec3<> const* positions,
                                                     Vec3<>* velocities) {
        for (std::size_t n = 0; n < clusters.groups; ++n) {
            Group const group(clusters, n);
            auto const star = star_of(group);
            auto const directions = arms_of(group, positions), relative = arms_of(group, velocities);
            std::array<L, K> change;
            for (std::size_t i = 0; i < K; ++i) change[i] = -dot(directions[i], relative[i]);
            auto const products =
                star_products<L, K>(star.centre_inverse_mass, star.end_inverse_masses, directions, directions);
            push(group, star, velocities, solve_small(products, change), directions);
        }
    }

private:
    static Star<L, K> star_of(Group const& group) {
        Star<L, K> star;
        for (std::size_t i = 0; i < K; ++i) {
            star.distances[i] = group.number(i);
            star.end_inverse_masses[i] = group.number(K + i);
        }
        star.centre_inverse_mass = group.number(2 * K);
        return star;
    }
    template <class Vectors> static Arms<L, K> arms_of(Group const& group, Vectors const& from) {
        Vec3<L> const centre = gather<L>(from, group.member(0));
        Arms<L, K> arms;
        for (std::size_t i = 0; i < K; ++i) arms[i] = gather<L>(from, group.member(i + 1)) - centre;
        return arms;
    }
    static void push(Group const& group, Star<L, K> const& star, Vec3<>* values, std::array<L, K> const& multipliers,
                     Arms<L, K> const& directions) {
        Vec3<L> centre = gather<L>(values, group.member(0));
        for (std::size_t i = 0; i < K; ++i) {
            Vec3<L> const push = multipliers[i] * directions[i];
            centre -= star.centre_inverse_mass * push;
            scatter(gather<L>(values, group.member(i + 1)) + star.end_inverse_masses[i] * push, values,
                    group.member(i + 1));
        }
        scatter(centre, values, group.member(0));
    }
};

/// The kernels that compute with `L`.
template <class L> constexpr ConstraintKernels constraint_kernels() {
    auto const kernel = []<class Kernel>(Kernel) {
        return ConstraintKernel{&Kernel::apply_to_positions, &Kernel::apply_to_velocities};
    };
    return {L::count,
            kernel(TriangleKernel<L>{}),
            {kernel(StarKernel<L, 1>{}), kernel(StarKernel<L, 2>{}), kernel(StarKernel<L, 3>{})}};
}

/// Vectors of two doubles, which every 64-bit processor has.
using PlainLanes = Lanes<void, 16, 2>;

}  // namespace trotter
