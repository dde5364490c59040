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

    /// Copies what has a pair of particles near enough to each of two lists.
    static void run(PairView<Real> const view, ShortList<Real>& wide, ShortList<Real>& narrow) {
        run_to(view, Lists<2>{{wide, narrow}}, wide, narrow);
    }
    /// The same to one list.
    static void run(PairView<Real> const view, ShortList<Real>& list) { run_to(view, Lists<1>{{list}}, list); }

private:
    struct IState {
        B x[3][L::registers];
        ReferencePoint<Real> base;  ///< the same for all of a group

        IState() = default;
        [[gnu::always_inline]] explicit IState(IPositions<Real> const& at) : base(at.base) {
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                unroll<L::registers>([&](auto k)
                                         __attribute__((always_inline)) { x[axis][k] = L::load_i(at.x[axis], k); });
            });
        }
    };

    /// Where what is kept goes: copies, which no store of an entry can change.
    template <int count> struct Lists {
        ShortList<Real> of[count];

        template <class Do> [[gnu::always_inline]] void each(Do const& act) {
            unroll<count>([&](auto n) __attribute__((always_inline)) { act(of[n]); });
        }
    };

    template <int count, class... To> static void run_to(PairView<Real> const& view, Lists<count> lists, To&... to) {
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const group = view.groups[n];
            lists.each([&](ShortList<Real> & list) __attribute__((always_inline)) { begin(list, group); });
            if (group.count == 1)
                shorten<1>(view, group, lists);
            else
                shorten<2>(view, group, lists);
            lists.each([&](ShortList<Real> & list) __attribute__((always_inline)) { end(list); });
        }
        int n = 0;
        ((to = lists.of[n++]), ...);
    }

    template <int i_clusters, int count> [[gnu::always_inline]] static void shorten(PairView<Real> const& view,
                                                                                    PairGroup const& group,
                                                                                    Lists<count>& lists) {
        IState i[i_clusters];
        unroll<i_clusters>([&](auto s) __attribute__((always_inline)) {
            i[s] = IState(IPositions<Real>(view.clusters, group, s, view.box));
            for (int k = group.masked[s].begin; k < group.masked[s].end; ++k) keep_masked(view, i[s], k, lists);
            lists.each([&](ShortList<Real> & list) __attribute__((always_inline)) {
                list.groups[list.group_count].masked[s].end = list.masked_count;
                if (s == 0) list.groups[list.group_count].masked[1] = {list.masked_count, list.masked_count};
            });
            for (int k = group.plain[s].begin; k < group.plain[s].end; ++k) keep_plain(view, i[s], s, k, lists);
        });
        if constexpr (i_clusters == 2)
            for (int k = group.plain[near_both].begin; k < group.plain[near_both].end; ++k)
                keep_both(view, i, k, lists);
    }

    template <int count> [[gnu::always_inline]] static void keep_masked(PairView<Real> const& view, IState const& i,
                                                                        int k, Lists<count>& lists) {
        MaskedPair const pair = view.masked[k];
        B const nearest = nearest_of(i, JState(view.clusters, pair.cluster, i.base));
        lists.each([&](ShortList<Real> & list) __attribute__((always_inline)) {
            list.masked[list.masked_count] = pair;
            list.masked_count += xsimd::any(nearest <= B(list.radius2));
        });
    }
    template <int count> [[gnu::always_inline]] static void keep_plain(PairView<Real> const& view, IState const& i,
                                                                       int kind, int k, Lists<count>& lists) {
        std::int32_t const j = view.plain[kind][k];
        B const nearest = nearest_of(i, JState(view.clusters, j, i.base));
        lists.each([&](ShortList<Real> & list)
                       __attribute__((always_inline)) { put(list, kind, j, xsimd::any(nearest <= B(list.radius2))); });
    }
    /// What is near one i cluster only goes to the entries of that.
    template <int count> [[gnu::always_inline]] static void keep_both(PairView<Real> const& view, IState const* i,
                                                                      int k, Lists<count>& lists) {
        std::int32_t const j = view.plain[near_both][k];
        JState const at(view.clusters, j, i[0].base);
        B const nearest0 = nearest_of(i[0], at), nearest1 = nearest_of(i[1], at);
        lists.each([&](ShortList<Real> & list) __attribute__((always_inline)) {
            bool const is_near0 = xsimd::any(nearest0 <= B(list.radius2)),
                       is_near1 = xsimd::any(nearest1 <= B(list.radius2));
            put(list, near_both, j, is_near0 & is_near1);
            put(list, 0, j, is_near0 & !is_near1);
            put(list, 1, j, !is_near0 & is_near1);
        });
    }
    [[gnu::always_inline]] static void put(ShortList<Real>& list, int kind, std::int32_t j, bool is_kept) {
        list.plain[kind][list.plain_count[kind]] = j;
        list.plain_count[kind] += is_kept;
    }

    [[gnu::always_inline]] static void begin(ShortList<Real>& list, PairGroup const& group) {
        PairGroup& to = list.groups[list.group_count];
        to = group;
        to.masked[0] = to.masked[1] = {list.masked_count, list.masked_count};
        for (int kind = 0; kind < 3; ++kind) to.plain[kind] = {list.plain_count[kind], list.plain_count[kind]};
    }
    [[gnu::always_inline]] static void end(ShortList<Real>& list) {
        PairGroup& group = list.groups[list.group_count];
        bool is_used = list.masked_count > group.masked[0].begin;
        for (int kind = 0; kind < 3; ++kind) {
            group.plain[kind].end = list.plain_count[kind];
            is_used = is_used || group.plain[kind].end > group.plain[kind].begin;
        }
        list.group_count += is_used;
    }

    struct JState {
        B x[3][L::parts];

        [[gnu::always_inline]] JState(ClusterView<Real> const& clusters, std::ptrdiff_t j,
                                      ReferencePoint<Real> const& base) {
            auto const from_base = L::reference_of(clusters, j, base);
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
                    x[axis][part] = L::coordinates_of_j(clusters, j, axis, part, from_base);
                });
            });
        }
    };
    /// In each lane the smallest of some squared distances of i and j particles.
    [[gnu::always_inline]] static B nearest_of(IState const& i, JState const& j) {
        B nearest(std::numeric_limits<Real>::max());
        unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                B d[3];
                unroll<3>([&](auto axis) __attribute__((always_inline)) { d[axis] = j.x[axis][part] - i.x[axis][k]; });
                B const r2 = multiply_add(d[2], d[2], multiply_add(d[1], d[1], B(d[0] * d[0])));
                nearest = k == 0 && L::parts == 1 ? r2 : xsimd::min(nearest, r2);
            });
        });
        return nearest;
    }
};

}  // namespace trotter::cpu
