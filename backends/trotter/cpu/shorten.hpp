// Which clusters are near: by their bounds when a list is made, by their particles when it is shortened.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pair_loop.hpp>

namespace trotter::cpu {

/// What is left of a list.
struct ListSizes {
    int groups, masked, plain;
};

/// The place of the bits of a comparison.
template <class Arch> [[gnu::always_inline]] inline std::uint32_t bits_of(Mask<float, Arch> const& mask) {
#if defined(__x86_64__)
    if constexpr (has_avx512<Arch>) return static_cast<typename Mask<float, Arch>::register_type>(mask);
    else if constexpr (has_avx<Arch>) return static_cast<std::uint32_t>(_mm256_movemask_ps(mask));
    else return static_cast<std::uint32_t>(_mm_movemask_ps(mask));
#else
    alignas(64) float lanes[Batch<float, Arch>::size];
    xsimd::select(mask, Batch<float, Arch>(1.0f), Batch<float, Arch>(0.0f)).store_aligned(lanes);
    std::uint32_t bits = 0;
    for (std::size_t n = 0; n < Batch<float, Arch>::size; ++n) bits |= (lanes[n] != 0 ? 1u : 0u) << n;
    return bits;
#endif
}

/// Finds clusters whose bounds are within √radius2 of the box from `low` to `high`; returns how many. `found` has room
/// for 16 more than there can be.
template <class Arch>
inline int find_near(BoundsView const& bounds, ClusterRange const* ranges, int range_count, float const* low, float const* high,
                     float radius2, std::int32_t* found) {
    using B = Batch<float, Arch>;
    constexpr int width = static_cast<int>(B::size);
    int count = 0;
    for (int r = 0; r < range_count; ++r)
        for (int first = ranges[r].first; first < ranges[r].last; first += width) {
            B distance2(0.0f);
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                B const below = B(low[axis]) - B::load_unaligned(bounds.upper[axis] + first);
                B const above = B::load_unaligned(bounds.lower[axis] + first) - B(high[axis]);
                B const d = xsimd::max(B(0.0f), xsimd::max(below, above));
                distance2 = multiply_add(d, d, distance2);
            });
            std::uint32_t bits = bits_of<Arch>(distance2 <= B(radius2));
            if (int const rest = ranges[r].last - first; rest < width) bits &= (1u << rest) - 1u;
            for (; bits != 0; bits &= bits - 1) found[count++] = first + __builtin_ctz(bits);
        }
    return count;
}

template <class Real, class Arch> struct Shorten {
    using L = Layout<Real, Arch>;
    using B = typename L::B;

    /// Copies what has a pair of particles within √radius2; the copies may lie over the originals.
    static ListSizes run(PairView<Real> const& view, Real radius2, PairGroup* groups, MaskedPair* masked, std::int32_t* plain) {
        ListSizes kept{0, 0, 0};
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup group = view.groups[n];
            IState const i(IPositions<Real>(view.clusters, group, view.box));
            int const masked_begin = kept.masked, plain_begin = kept.plain;
            for (int k = group.masked_begin; k < group.masked_end; ++k) {
                masked[kept.masked] = view.masked[k];
                kept.masked += is_near(view.clusters, i, view.masked[k].cluster, radius2);
            }
            for (int k = group.plain_begin; k < group.plain_end; ++k) {
                plain[kept.plain] = view.plain[k];
                kept.plain += is_near(view.clusters, i, view.plain[k], radius2);
            }
            group = {group.cluster, {group.image[0], group.image[1], group.image[2]}, masked_begin, kept.masked, plain_begin, kept.plain};
            groups[kept.groups] = group;
            kept.groups += kept.masked > masked_begin || kept.plain > plain_begin;
        }
        return kept;
    }

private:
    struct IState {
        B x[3][L::registers], base[3];

        [[gnu::always_inline]] explicit IState(IPositions<Real> const& at) {
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                base[axis] = B(at.base[axis]);
                unroll<L::registers>([&](auto k) __attribute__((always_inline)) { x[axis][k] = L::load_i(at.x[axis], k); });
            });
        }
    };

    [[gnu::always_inline]] static bool is_near(ClusterView<Real> const& clusters, IState const& i, int j, Real radius2) {
        bool result = false;
        unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
            B x[3];
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                x[axis] = L::load_j(clusters.coordinates + (3 * j + axis) * cluster_size, part);
                if constexpr (sizeof(Real) == 4) x[axis] += B(clusters.references[3 * j + axis]) - i.base[axis];
            });
            B nearest;
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                B const dx = i.x[0][k] - x[0], dy = i.x[1][k] - x[1], dz = i.x[2][k] - x[2];
                B const r2 = multiply_add(dz, dz, multiply_add(dy, dy, B(dx * dx)));
                nearest = k == 0 ? r2 : xsimd::min(nearest, r2);
            });
            result |= xsimd::any(nearest <= B(radius2));
        });
        return result;
    }
};

}  // namespace trotter::cpu
