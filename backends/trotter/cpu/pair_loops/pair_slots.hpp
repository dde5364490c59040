// Loads the positions of i and j particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/pair_loops/layout.hpp>

namespace trotter::cpu {

/// Positions of the particles of i cluster `s`, relative to `base`, which is the same for all of them and includes the
/// image shift.
template <class Real> struct IPositions {
    Four<Real> x[3];
    Steps base;

    [[gnu::always_inline]] IPositions(ClusterView<Real> const& clusters, IClusters const& i, int s) {
        using Doubles [[gnu::vector_size(4 * sizeof(double))]] = double;
        constexpr std::uint32_t quarter = 1u << 30;
        std::ptrdiff_t const cluster = i.cluster + s;
        Steps const middle = clusters.base_of(i);
        SignedSteps const from_middle = (SignedSteps)(clusters.reference_of(cluster) - middle);
        double away[3];  // in steps
        base = middle;
        for (int axis = 0; axis < 3; ++axis) {
            base[axis] += static_cast<std::uint32_t>(i.image_shift[axis]) * quarter;
            away[axis] = static_cast<double>(from_middle[axis]) - static_cast<double>(i.image_shift[axis]) * quarter;
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

/// Four particles listed one by one.
template <class Real, class Arch> struct ListedSlots {
    using L = Layout<Real, Arch>;
    std::int32_t const* slots;

    [[gnu::always_inline]] explicit ListedSlots(std::int32_t const* entry) : slots(entry) {}

    [[gnu::always_inline]] typename L::Records coordinates(ClusterView<Real> const& clusters) const {
        return L::load([&](int j) __attribute__((always_inline)) { return clusters.coordinates_of(slots[j]); });
    }
    /// The steps from `base` to the references of their clusters.
    [[gnu::always_inline]] typename L::Records differences(ClusterView<Real> const& clusters, Steps const& base) const {
        return L::differences(
            [&](int j)
                __attribute__((always_inline)) { return clusters.references + std::ptrdiff_t{record_size} * slots[j]; },
            base);
    }
};

/// The four particles of a cluster.
template <class Real, class Arch> struct ClusterSlots {
    using L = Layout<Real, Arch>;
    std::int32_t cluster;

    [[gnu::always_inline]] explicit ClusterSlots(std::int32_t of) : cluster(of) {}

    [[gnu::always_inline]] typename L::Records coordinates(ClusterView<Real> const& clusters) const {
        return L::load_cluster(clusters.coordinates_of(std::ptrdiff_t{cluster_size} * cluster));
    }
    [[gnu::always_inline]] typename L::Records differences(ClusterView<Real> const& clusters, Steps const& base) const {
        Four<Real> const away = FourOf<Real>::of(clusters.reference_of(cluster) - base);
        typename L::Records result;
        unroll<L::registers>([&](auto k)
                                 __attribute__((always_inline)) { result.of[k] = L::repeat(away, k % L::parts); });
        return result;
    }
};

/// Converts coordinates relative to references, `away` from a base, to coordinates relative to that base.
template <class Real, class Arch> [[gnu::always_inline]] inline typename Layout<Real, Arch>::Records moved(
    ClusterView<Real> const& clusters, bool is_triclinic, typename Layout<Real, Arch>::Records result,
    typename Layout<Real, Arch>::Records const& away) {
    using L = Layout<Real, Arch>;
    auto const record = [](Real const(&of)[record_size], int k) __attribute__((always_inline)) {
        return L::repeat(FourOf<Real>::load(of), k % L::parts);
    };
    unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
        result.of[k] = multiply_add(away.of[k], record(clusters.step, k), result.of[k]);
    });
    if (is_triclinic)
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            result.of[k] = multiply_add(L::template number<1>(away, k), record(clusters.tilt_of_b, k), result.of[k]);
            result.of[k] = multiply_add(L::template number<2>(away, k), record(clusters.tilt_of_c, k), result.of[k]);
        });
    return result;
}

/// Records of j particles, relative to the base of the i particles.
template <class Real, class Arch, template <class, class> class Slots>
[[gnu::always_inline]] inline typename Layout<Real, Arch>::Records positions(ClusterView<Real> const& clusters,
                                                                             Slots<Real, Arch> const& slots,
                                                                             Steps const& base) {
    return moved<Real, Arch>(clusters, clusters.is_triclinic, slots.coordinates(clusters),
                             slots.differences(clusters, base));
}

}  // namespace trotter::cpu
