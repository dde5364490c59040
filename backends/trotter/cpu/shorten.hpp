// Which clusters are near: by their bounds when a list is made, by their particles when it is shortened.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <trotter/cpu/pair_loop.hpp>

namespace trotter::cpu {

/// The place of the bits of a comparison.
template <class Arch> [[gnu::always_inline]] inline std::uint32_t bits_of(Mask<float, Arch> const& mask) {
#if defined(__x86_64__)
    if constexpr (has_avx512<Arch>)
        return static_cast<typename Mask<float, Arch>::register_type>(mask);
    else if constexpr (has_avx<Arch>)
        return static_cast<std::uint32_t>(_mm256_movemask_ps(mask));
    else
        return static_cast<std::uint32_t>(_mm_movemask_ps(mask));
#else
    alignas(64) float lanes[Batch<float, Arch>::size];
    xsimd::select(mask, Batch<float, Arch>(1.0f), Batch<float, Arch>(0.0f)).store_aligned(lanes);
    std::uint32_t bits = 0;
    for (std::size_t n = 0; n < Batch<float, Arch>::size; ++n) bits |= (lanes[n] != 0 ? 1u : 0u) << n;
    return bits;
#endif
}

/// Finds clusters whose bounds are within √radius2 of the box from `low` to `high`; returns how many. `found` has
/// room for 16 more than there can be.
template <class Arch> inline int find_near(BoundsView const& bounds, ClusterRange const* ranges, int range_count,
                                           float const* low, float const* high, float radius2, std::int32_t* found) {
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
#if defined(__x86_64__)
            if constexpr (has_avx512<Arch>) {
                __m512i const steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                __m512i const clusters = _mm512_add_epi32(_mm512_set1_epi32(first), steps);
                _mm512_storeu_si512(found + count, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), clusters));
                count += __builtin_popcount(bits);
                continue;
            }
#endif
            for (; bits != 0; bits &= bits - 1) found[count++] = first + __builtin_ctz(bits);
        }
    return count;
}

template <class Real, class Arch> struct Shorten {
    using L = Layout<Real, Arch>;
    using B = typename L::B;

    /// Copies what has a pair of particles near enough to each of two lists; the first may lie over the original, and
    /// the second keeps no more than the first.
    static void run(PairView<Real> const view, ShortList<Real>& wide, ShortList<Real>& narrow) {
        ShortList<Real> a = wide, b = narrow;
        B const near(a.radius2), nearer(b.radius2);
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const group = view.groups[n];
            IState const i(IPositions<Real>(view.clusters, group, view.box));
            begin(a, group);
            begin(b, group);
            for (int k = group.masked_begin; k < group.masked_end; ++k) {
                MaskedPair const pair = view.masked[k];
                B const nearest = nearest_of(view.clusters, i, pair.cluster);
                a.masked[a.masked_count] = b.masked[b.masked_count] = pair;
                a.masked_count += xsimd::any(nearest <= near);
                b.masked_count += xsimd::any(nearest <= nearer);
            }
            for (int k = group.plain_begin; k < group.plain_end; ++k) {
                std::int32_t const j = view.plain[k];
                B const nearest = nearest_of(view.clusters, i, j);
                a.plain[a.plain_count] = b.plain[b.plain_count] = j;
                a.plain_count += xsimd::any(nearest <= near);
                b.plain_count += xsimd::any(nearest <= nearer);
            }
            end(a);
            end(b);
        }
        wide = a;
        narrow = b;
    }
    /// The same to one list.
    static void run(PairView<Real> const view, ShortList<Real>& list) {
        ShortList<Real> a = list;
        B const near(a.radius2);
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const group = view.groups[n];
            IState const i(IPositions<Real>(view.clusters, group, view.box));
            begin(a, group);
            for (int k = group.masked_begin; k < group.masked_end; ++k) {
                a.masked[a.masked_count] = view.masked[k];
                a.masked_count += xsimd::any(nearest_of(view.clusters, i, view.masked[k].cluster) <= near);
            }
            for (int k = group.plain_begin; k < group.plain_end; ++k) {
                a.plain[a.plain_count] = view.plain[k];
                a.plain_count += xsimd::any(nearest_of(view.clusters, i, view.plain[k]) <= near);
            }
            end(a);
        }
        list = a;
    }

private:
    [[gnu::always_inline]] static void begin(ShortList<Real>& list, PairGroup const& group) {
        list.groups[list.group_count] = {group.cluster,     {group.image[0], group.image[1], group.image[2]},
                                         list.masked_count, list.masked_count,
                                         list.plain_count,  list.plain_count};
    }
    [[gnu::always_inline]] static void end(ShortList<Real>& list) {
        PairGroup& group = list.groups[list.group_count];
        group.masked_end = list.masked_count;
        group.plain_end = list.plain_count;
        list.group_count += list.masked_count > group.masked_begin || list.plain_count > group.plain_begin;
    }

    struct IState {
        B x[3][L::registers], base[3];

        [[gnu::always_inline]] explicit IState(IPositions<Real> const& at) {
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                base[axis] = lanes_of_one<Real, Arch>(at.base[axis]);
                unroll<L::registers>([&](auto k)
                                         __attribute__((always_inline)) { x[axis][k] = L::load_i(at.x[axis], k); });
            });
        }
    };

    /// In each lane the smallest of some squared distances of i and j particles.
    [[gnu::always_inline]] static B nearest_of(ClusterView<Real> const& clusters, IState const& i, std::ptrdiff_t j) {
        B nearest(std::numeric_limits<Real>::max());
        for (int part = 0; part < L::parts; ++part) {
            B x[3];
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                x[axis] = L::position_j(clusters, j, part, axis, i.base[axis]);
            });
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                B const dx = i.x[0][k] - x[0], dy = i.x[1][k] - x[1], dz = i.x[2][k] - x[2];
                B const r2 = multiply_add(dz, dz, multiply_add(dy, dy, B(dx * dx)));
                nearest = k == 0 && L::parts == 1 ? r2 : xsimd::min(nearest, r2);
            });
        }
        return nearest;
    }
};

}  // namespace trotter::cpu
