// Which clusters are near: by their bounds when a list is made, by their particles when it is shortened.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <trotter/cpu/pair_places.hpp>

namespace trotter::cpu {

/// The place of the bits of a comparison.
template <class Real, class Arch> [[gnu::always_inline]] inline std::uint32_t bits_of(Mask<Real, Arch> const& mask) {
#if defined(__x86_64__)
    if constexpr (has_avx512<Arch>)
        return static_cast<typename Mask<Real, Arch>::register_type>(mask);
    else if constexpr (has_avx<Arch> && sizeof(Real) == 4)
        return static_cast<std::uint32_t>(_mm256_movemask_ps(mask));
    else if constexpr (has_avx<Arch>)
        return static_cast<std::uint32_t>(_mm256_movemask_pd(mask));
    else if constexpr (sizeof(Real) == 4)
        return static_cast<std::uint32_t>(_mm_movemask_ps(mask));
    else
        return static_cast<std::uint32_t>(_mm_movemask_pd(mask));
#else
    alignas(64) Real lanes[Batch<Real, Arch>::size];
    xsimd::select(mask, Batch<Real, Arch>(Real(1)), Batch<Real, Arch>(Real(0))).store_aligned(lanes);
    std::uint32_t bits = 0;
    for (std::size_t n = 0; n < Batch<Real, Arch>::size; ++n) bits |= (lanes[n] != 0 ? 1u : 0u) << n;
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
            std::uint32_t bits = bits_of<float, Arch>(distance2 <= B(radius2));
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

/// Which j particles of a cluster have a pair near enough, a bit for each, from the bits of the pairs with two i
/// clusters.
struct NearPlaces {
    std::uint32_t of_first, of_second;

    [[gnu::always_inline]] NearPlaces(std::uint32_t pairs_of_first, std::uint32_t pairs_of_second) {
        std::uint32_t const pairs = pairs_of_first | pairs_of_second << 16, two = pairs | pairs >> 1,
                            any = (two | two >> 2) & 0x1111'1111u;
        of_first = together(any);
        of_second = together(any >> 16);
    }

private:
    /// Bits 0, 4, 8 and 12, at 0 to 3.
    [[gnu::always_inline]] static std::uint32_t together(std::uint32_t bits) { return bits * 0x1248u >> 12 & 0xFu; }
};

/// For every four bits, which of them are set, in order.
struct BitOrder {
    alignas(16) std::int32_t places[16][cluster_size] = {};
    std::int32_t counts[16] = {};

    constexpr BitOrder() {
        for (int bits = 0; bits < 16; ++bits)
            for (int n = 0; n < cluster_size; ++n)
                if (bits >> n & 1) places[bits][counts[bits]++] = n;
    }
};

template <class Real, class Arch> struct Shorten {
    using L = Layout<Real, Arch>;
    using B = typename L::B;

    /// Copies the clusters with a pair of particles near enough to one list, and the particles to another.
    static void run(ClusterList<Real> const list, ShortClusters<Real>& wide, ShortParticles<Real>& narrow) {
        Clusters clusters{wide};
        Particles particles(list, narrow);
        for (int n = 0; n < list.group_count; ++n) of_group(list, list.groups[n], clusters, particles);
        wide = clusters.to;
        narrow = particles.to;
    }
    /// Only the particles.
    static void run(ClusterList<Real> const list, ShortParticles<Real>& narrow) {
        Particles particles(list, narrow);
        for (int n = 0; n < list.group_count; ++n) of_group(list, list.groups[n], particles);
        narrow = particles.to;
    }

private:
    struct IState {
        B x[3][L::parts];
        Steps base;

        [[gnu::always_inline]] void set(IPositions<Real> const& at) {
            base = at.base;
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                unroll<L::parts>([&](auto part)
                                     __attribute__((always_inline)) { x[axis][part] = L::repeat(at.x[axis], part); });
            });
        }
    };
    using J = typename L::Records;
    [[gnu::always_inline]] static J of_cluster(ClusterView<Real> const& clusters, std::int32_t j, IState const& i) {
        return positions(clusters, ClusterPlaces<Real, Arch>(&j), i.base);
    }
    struct Squares {
        B of[L::registers];

        [[gnu::always_inline]] Squares(IState const& i, J const& j) {
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                B d[3];
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    d[axis] = L::template number<axis>(j, k) - i.x[axis][k % L::parts];
                });
                of[k] = multiply_add(d[2], d[2], multiply_add(d[1], d[1], B(d[0] * d[0])));
            });
        }
        /// The bits of pairs within √radius2.
        [[gnu::always_inline]] std::uint32_t within(Real radius2) const {
            std::uint32_t result = 0;
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                result |= bits_of<Real, Arch>(of[k] <= B(radius2)) << (k * L::width);
            });
            return result;
        }
    };

    /// Masked pairs are kept in the same way in both kinds of lists.
    template <class Short>
    [[gnu::always_inline]] static void keep_masked(Short& to, MaskedPair const& pair, Squares const& squares) {
        to.masked[to.masked_count] = pair;
        to.masked_count += squares.within(to.radius2) != 0;
    }
    template <class Short> [[gnu::always_inline]] static void end_masked(Short& to, int s) {
        to.groups[to.group_count].masked[s].end = to.masked_count;
        if (s == 0) to.groups[to.group_count].masked[1] = {to.masked_count, to.masked_count};
    }

    /// What is kept of a list of clusters. `to` is a copy, which no store of an entry can change.
    struct Clusters {
        ShortClusters<Real> to;

        [[gnu::always_inline]] void begin(PairGroup const& from) {
            PairGroup& group = to.groups[to.group_count];
            group = from;
            for (auto& range : group.masked) range = {to.masked_count, to.masked_count};
            for (int which = 0; which < 3; ++which) group.plain[which] = {to.plain_count[which], to.plain_count[which]};
        }
        [[gnu::always_inline]] void plain(int which, std::int32_t j, Squares const& squares) {
            put(which, j, squares.within(to.radius2) != 0);
        }
        [[gnu::always_inline]] void both(std::int32_t j, Squares const& first, Squares const& second) {
            bool const is_near0 = first.within(to.radius2) != 0, is_near1 = second.within(to.radius2) != 0;
            put(near_both, j, is_near0 & is_near1);
            put(near_first, j, is_near0 & !is_near1);
            put(near_second, j, !is_near0 & is_near1);
        }
        [[gnu::always_inline]] void end() {
            PairGroup& group = to.groups[to.group_count];
            bool is_used = to.masked_count > group.masked[0].begin;
            for (int which = 0; which < 3; ++which) {
                group.plain[which].end = to.plain_count[which];
                is_used = is_used || group.plain[which].count() > 0;
            }
            to.group_count += is_used;
        }

    private:
        [[gnu::always_inline]] void put(int which, std::int32_t j, bool is_kept) {
            to.plain[which][to.plain_count[which]] = j;
            to.plain_count[which] += is_kept;
        }
    };

    /// What is kept of the particles of a list of clusters.
    struct Particles {
        ShortParticles<Real> to;
        std::uint8_t const* bare_places;
        std::int32_t nobody;
        std::int32_t* next[4];  ///< of each kind

        Particles(ClusterList<Real> const& list, ShortParticles<Real> const& where)
            : to(where), bare_places(list.bare), nobody(list.nobody) {}

        [[gnu::always_inline]] void begin(PairGroup const& from) {
            PairGroup& group = to.groups[to.group_count];
            group = from;
            for (auto& range : group.masked) range = {to.masked_count, to.masked_count};
            for (int kind = 0; kind < 4; ++kind) next[kind] = to.kinds[kind];
        }
        [[gnu::always_inline]] void plain(int which, std::int32_t j, Squares const& squares) {
            put(which, j, NearPlaces(squares.within(to.radius2), 0).of_first);
        }
        [[gnu::always_inline]] void both(std::int32_t j, Squares const& first, Squares const& second) {
            NearPlaces const near(first.within(to.radius2), second.within(to.radius2));
            std::uint32_t const both = near.of_first & near.of_second, bare = both & bare_places[j];
            put(near_both, j, both ^ bare);
            put(3, j, bare);
            put(near_first, j, near.of_first ^ both);
            put(near_second, j, near.of_second ^ both);
        }
        /// The places of all kinds follow each other.
        [[gnu::always_inline]] void end() {
            PairGroup& group = to.groups[to.group_count];
            bool is_used = to.masked_count > group.masked[0].begin;
            for (int kind = 0; kind < 4; ++kind) {
                for (int n = 0; n < cluster_size - 1; ++n) next[kind][n] = nobody;
                auto const count = static_cast<std::int32_t>(next[kind] - to.kinds[kind] + cluster_size - 1)
                                   / cluster_size * cluster_size;
                std::memcpy(to.places + to.place_count, to.kinds[kind],
                            static_cast<std::size_t>(count) * sizeof(std::int32_t));
                ListRange const range{to.place_count, to.place_count + count};
                (kind < 3 ? group.plain[kind] : group.bare) = range;
                to.place_count = range.end;
                is_used = is_used || count > 0;
            }
            to.group_count += is_used;
        }

    private:
        static constexpr BitOrder order{};

        [[gnu::always_inline]] void put(int kind, std::int32_t j, std::uint32_t bits) {
            using Places [[gnu::vector_size(cluster_size * sizeof(std::int32_t))]] = std::int32_t;
            Places places;
            std::memcpy(&places, order.places[bits], sizeof places);
            places += j * cluster_size;
            std::memcpy(next[kind], &places, sizeof places);
            next[kind] += order.counts[bits];
            // Compilers would put the four pointers into one vector, from which each of them takes long to come.
            asm("" : "+r"(next[kind]));
        }
    };

    template <class... Lists>
    [[gnu::always_inline]] static void of_group(ClusterList<Real> const& list, PairGroup const group, Lists&... lists) {
        (lists.begin(group), ...);
        if (group.count == 1)
            shorten<1>(list, group, lists...);
        else
            shorten<2>(list, group, lists...);
        (lists.end(), ...);
    }

    template <int i_clusters, class... Lists>
    [[gnu::always_inline]] static void shorten(ClusterList<Real> const& list, PairGroup const& group, Lists&... lists) {
        IState i[i_clusters];
        unroll<i_clusters>([&](auto s) __attribute__((always_inline)) {
            i[s].set(IPositions<Real>(list.clusters, group, s));
            for (int k = group.masked[s].begin; k < group.masked[s].end; ++k) {
                MaskedPair const pair = list.masked[k];
                Squares const squares(i[s], of_cluster(list.clusters, pair.cluster, i[s]));
                (keep_masked(lists.to, pair, squares), ...);
            }
            (end_masked(lists.to, s), ...);
            for (int k = group.plain[s].begin; k < group.plain[s].end; ++k) {
                std::int32_t const j = list.plain[s][k];
                Squares const squares(i[s], of_cluster(list.clusters, j, i[s]));
                (lists.plain(s, j, squares), ...);
            }
        });
        if constexpr (i_clusters == 2)
            for (int k = group.plain[near_both].begin; k < group.plain[near_both].end; ++k) {
                std::int32_t const j = list.plain[near_both][k];
                J const at = of_cluster(list.clusters, j, i[0]);
                Squares const first(i[0], at), second(i[1], at);
                (lists.both(j, first, second), ...);
            }
    }
};

}  // namespace trotter::cpu
