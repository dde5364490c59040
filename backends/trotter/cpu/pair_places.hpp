// The particles of pairs: where they are, and how what they have is loaded and added to.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/layout.hpp>
#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// Where the particles of i cluster `s` of a group are, relative to `base`, which is the same for all of them. With
/// images that are quarters of the cell away, it is moved by these.
template <class Real> struct IPositions {
    Four<Real> x[3];
    Steps base;

    [[gnu::always_inline]] IPositions(ClusterView<Real> const& clusters, PairGroup const& group, int s) {
        using Doubles [[gnu::vector_size(4 * sizeof(double))]] = double;
        constexpr std::uint32_t quarter = 1u << 30;
        std::ptrdiff_t const cluster = group.cluster + s;
        Steps const first = clusters.reference_of(group.cluster);
        SignedSteps const from_first = (SignedSteps)(clusters.reference_of(cluster) - first);
        double away[3];  // in steps
        base = first;
        for (int axis = 0; axis < 3; ++axis) {
            base[axis] += static_cast<std::uint32_t>(group.quarters[axis]) * quarter;
            away[axis] = static_cast<double>(from_first[axis]) - static_cast<double>(group.quarters[axis]) * quarter;
        }
        Four<Real> rows[4];
        FourOf<Real>::load_rows(clusters.coordinates_of(cluster * cluster_size), record_size, rows);
        double const* const cell = clusters.cell;
        for (int axis = 0; axis < 3; ++axis) {
            double const moved = (away[0] * cell[axis] + away[1] * cell[3 + axis] + away[2] * cell[6 + axis]) * 0x1p-32;
            x[axis] = __builtin_convertvector(__builtin_convertvector(rows[axis], Doubles) + moved, Four<Real>);
        }
    }
};

/// Four j particles that a list names one by one.
template <class Real, class Arch> struct ListedPlaces {
    using L = Layout<Real, Arch>;
    static constexpr int entries = 4;
    std::int32_t const* places;

    [[gnu::always_inline]] explicit ListedPlaces(std::int32_t const* entry) : places(entry) {}

    [[gnu::always_inline]] typename L::Records load(Real const* from, int stride) const {
        return L::load([&](int j) __attribute__((always_inline)) { return from + std::ptrdiff_t{stride} * places[j]; });
    }
    /// From `base` to the references of their clusters.
    [[gnu::always_inline]] typename L::Records differences(ClusterView<Real> const& clusters, Steps const& base) const {
        return L::differences(
            [&](int j) __attribute__((always_inline)) {
                return clusters.references + record_size / cluster_size * (places[j] & ~(cluster_size - 1));
            },
            base);
    }
    [[gnu::always_inline]] void add_forces(PairView<Real> const& view, typename L::Records const& forces) const {
        L::add(
            forces, [&](int j)
                        __attribute__((always_inline)) { return view.forces + record_size * view.touched(places[j]); });
    }
    [[gnu::always_inline]] void add_sums(PairView<Real> const& view, Four<Real> const& sums) const {
        for (int j = 0; j < 4; ++j) view.sums[view.touched(places[j])] += sums[j];
    }
};

/// The four j particles of a cluster.
template <class Real, class Arch> struct ClusterPlaces {
    using L = Layout<Real, Arch>;
    static constexpr int entries = 1;
    std::int32_t cluster;

    [[gnu::always_inline]] explicit ClusterPlaces(std::int32_t const* entry) : cluster(*entry) {}

    [[gnu::always_inline]] typename L::Records load(Real const* from, int stride) const {
        Real const* const first = from + std::ptrdiff_t{stride} * cluster_size * cluster;
        if (stride == record_size) return L::load_cluster(first);
        return L::load([&](int j) __attribute__((always_inline)) { return first + stride * j; });
    }
    [[gnu::always_inline]] typename L::Records differences(ClusterView<Real> const& clusters, Steps const& base) const {
        Four<Real> const away = FourOf<Real>::of(clusters.reference_of(cluster) - base);
        typename L::Records result;
        unroll<L::registers>([&](auto k)
                                 __attribute__((always_inline)) { result.of[k] = L::repeat(away, k % L::parts); });
        return result;
    }
    [[gnu::always_inline]] void add_forces(PairView<Real> const& view, typename L::Records const& forces) const {
        L::add_cluster(forces, view.forces + record_size * view.touched(cluster_size * cluster));
    }
    [[gnu::always_inline]] void add_sums(PairView<Real> const& view, Four<Real> const& sums) const {
        FourOf<Real>::add(view.sums + view.touched(cluster_size * cluster), sums);
    }
};

/// Records of j particles, relative to the base of the i particles.
template <class Real, class Arch, template <class, class> class Places>
[[gnu::always_inline]] inline typename Layout<Real, Arch>::Records positions(ClusterView<Real> const& clusters,
                                                                             Places<Real, Arch> const& places,
                                                                             Steps const& base) {
    using L = Layout<Real, Arch>;
    auto result = places.load(clusters.coordinates, record_size);
    auto const away = places.differences(clusters, base);
    auto const record = [](Real const(&of)[record_size], int k) __attribute__((always_inline)) {
        return L::repeat(FourOf<Real>::load(of), k % L::parts);
    };
    unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
        result.of[k] = multiply_add(away.of[k], record(clusters.step, k), result.of[k]);
    });
    if (clusters.is_slanted)
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            result.of[k] = multiply_add(L::template number<1>(away, k), record(clusters.slant_of_b, k), result.of[k]);
            result.of[k] = multiply_add(L::template number<2>(away, k), record(clusters.slant_of_c, k), result.of[k]);
        });
    return result;
}

}  // namespace trotter::cpu
