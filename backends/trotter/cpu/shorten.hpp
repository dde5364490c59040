// Takes pairs of clusters out of a list that have come too far apart.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pair_loop.hpp>

namespace trotter::cpu {

/// What is left of a list.
struct ListSizes {
    int groups, masked, plain;
};

template <class Real, class Arch> struct Shorten {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    static constexpr int j_size = L::j_size;

    /// Copies what has a pair of particles within √radius2; the copies may lie over the originals.
    static ListSizes run(PairView<Real> const& view, Real radius2, PairGroup* groups, MaskedPair* masked, std::int32_t* plain) {
        ListSizes kept{0, 0, 0};
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup group = view.groups[n];
            IPositions<Real> const at(view.clusters, group, view.box, j_size);
            int const masked_begin = kept.masked, plain_begin = kept.plain;
            for (int k = group.masked_begin; k < group.masked_end; ++k) {
                masked[kept.masked] = view.masked[k];
                kept.masked += is_near(view.clusters, at, view.masked[k].cluster, radius2);
            }
            for (int k = group.plain_begin; k < group.plain_end; ++k) {
                plain[kept.plain] = view.plain[k];
                kept.plain += is_near(view.clusters, at, view.plain[k], radius2);
            }
            group = {group.cluster, {group.image[0], group.image[1], group.image[2]}, masked_begin, kept.masked, plain_begin, kept.plain};
            groups[kept.groups] = group;
            kept.groups += kept.masked > masked_begin || kept.plain > plain_begin;
        }
        return kept;
    }

private:
    [[gnu::always_inline]] static bool is_near(ClusterView<Real> const& clusters, IPositions<Real> const& at, int j, Real radius2) {
        bool result = false;
        unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
            B x[3];
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                x[axis] = L::load_j(clusters.coordinates + (3 * j + axis) * j_size, part);
                if constexpr (sizeof(Real) == 4) x[axis] += B(clusters.references[3 * j + axis] - at.base[axis]);
            });
            B nearest(Real(1e30));
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                B const dx = L::load_i(at.x[0], k) - x[0], dy = L::load_i(at.x[1], k) - x[1], dz = L::load_i(at.x[2], k) - x[2];
                nearest = xsimd::min(nearest, xsimd::fma(dz, dz, xsimd::fma(dy, dy, B(dx * dx))));
            });
            result |= xsimd::any(nearest <= B(radius2));
        });
        return result;
    }
};

}  // namespace trotter::cpu
