// Prunes a list by particle distances, to narrower lists of clusters and of particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>

#include <trotter/cpu/neighbor_list/four_clusters.hpp>
#include <trotter/cpu/pair_loops/pair_slots.hpp>

namespace trotter::cpu {

template <class Arch> struct Pruning {
    using Real = float;
    using L = Layout<Real, Arch>;
    using B = typename L::B;

    /// Copies clusters with a particle pair in range to one list, and the particles to another.
    static void run(ClusterList const list, PrunedClusterList& wide, PrunedParticleList& narrow) {
        Clusters clusters{wide};
        Particles particles(list, narrow);
        for (int n = 0; n < list.group_count; ++n) of_group(list, list.groups[n], clusters, particles);
        wide = clusters.to;
        narrow = particles.to;
    }
    /// Only the particles.
    static void run(ClusterList const list, PrunedParticleList& narrow) {
        Particles particles(list, narrow);
        for (int n = 0; n < list.group_count; ++n) of_group(list, list.groups[n], particles);
        narrow = particles.to;
    }

private:
    using Four = FourClusters<Arch>;
    struct IState {
        B x[3][L::parts];
        Real minus_two_x[3][cluster_size], x2[cluster_size];
        Steps base;

        [[gnu::always_inline]] void set(IPositions<Real> const& at) {
            base = at.base;
            // Coordinates as large as those of unused slots must not be multiplied.
            auto const is_padding = at.x[0] > Real(1e14);
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                unroll<L::parts>([&](auto part)
                                     __attribute__((always_inline)) { x[axis][part] = L::repeat(at.x[axis], part); });
                FourOf<Real>::store(minus_two_x[axis], is_padding ? at.x[axis] * 0 : Real(-2) * at.x[axis]);
            });
            FourOf<Real>::store(x2, at.x[0] * at.x[0] + at.x[1] * at.x[1] + at.x[2] * at.x[2]);
        }
    };
    /// Squares of distances.
    struct Squares {
        B of[L::registers];

        /// A bit for each that is not beyond radius2.
        [[gnu::always_inline]] std::uint32_t within(Real radius2) const {
            std::uint32_t result = 0;
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                result |= bits_of<Arch>(of[k] <= B(radius2)) << (k * L::width);
            });
            return result;
        }
    };
    /// Squared distances from i particles to those of a j cluster.
    [[gnu::always_inline]] static Squares of_pairs(IState const& i, typename L::Records const& j) {
        Squares result;
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            B d[3];
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                d[axis] = L::template number<axis>(j, k) - i.x[axis][k % L::parts];
            });
            result.of[k] = multiply_add(d[2], d[2], multiply_add(d[1], d[1], B(d[0] * d[0])));
        });
        return result;
    }
    /// The particles of four j clusters: particle j of cluster n in lane 4j + n.
    struct FourOfJ {
        B x[3][L::registers], x2[L::registers];

        [[gnu::always_inline]] FourOfJ(ClusterView<Real> const& clusters, Four const& four, Steps const& base) {
            typename L::Records records[4];
            unroll<4>([&](auto n) __attribute__((always_inline)) {
                records[n] = positions(clusters, ClusterSlots<Real, Arch>(four.clusters[n]), base);
            });
            B columns[4][L::registers];
            L::to_columns(records, columns);
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                unroll<3>([&](auto axis) __attribute__((always_inline)) { x[axis][k] = columns[axis][k]; });
                x2[k] = multiply_add(x[2][k], x[2][k], multiply_add(x[1][k], x[1][k], B(x[0][k] * x[0][k])));
            });
        }
    };
    /// From each of these to the nearest i particle: |x_j|² + |x_i|² - 2 x_i·x_j, whose first term is the same for all
    /// i.
    [[gnu::always_inline]] static Squares nearest(IState const& i, FourOfJ const& j) {
        Squares result;
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            B least;
            unroll<cluster_size>([&](auto n) __attribute__((always_inline)) {
                B of_i(i.x2[n]);
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    of_i = multiply_add(j.x[axis][k], B(i.minus_two_x[axis][n]), of_i);
                });
                if constexpr (n == 0)
                    least = of_i;
                else
                    least = xsimd::min(least, of_i);
            });
            result.of[k] = least + j.x2[k];
        });
        return result;
    }
    /// Keeps masked pairs, in the same way in both kinds of lists.
    template <class Pruned>
    [[gnu::always_inline]] static void keep_masked(Pruned& to, MaskedPair const& pair, Squares const& squares) {
        to.masked[to.masked_count] = pair;
        to.masked_count += squares.within(to.radius2) != 0;
    }
    template <class Pruned> [[gnu::always_inline]] static void end_masked(Pruned& to, int s) {
        auto& masked = to.groups[to.group_count].i.masked;
        masked[s].end = to.masked_count;
        if (s == 0) masked[1] = {to.masked_count, to.masked_count};
    }

    /// Writes the pruned list of clusters. `to` is a copy, which stores of entries cannot alias.
    struct Clusters {
        PrunedClusterList to;

        [[gnu::always_inline]] void begin(IClusters const& from) {
            ClusterGroup& group = to.groups[to.group_count];
            group.i = from;
            for (auto& range : group.i.masked) range = {to.masked_count, to.masked_count};
            for (int which = 0; which < 3; ++which) group.plain[which] = {to.plain_count[which], to.plain_count[which]};
        }
        [[gnu::always_inline]] void alone(int which, Four const& four, Squares const& nearest) {
            put(which, four, near(four, nearest));
        }
        [[gnu::always_inline]] void both(Four const& four, Squares const& nearest0, Squares const& nearest1) {
            std::uint32_t const first = near(four, nearest0), second = near(four, nearest1);
            put(near_both, four, first & second);
            put(near_first, four, first & ~second);
            put(near_second, four, ~first & second);
        }
        [[gnu::always_inline]] void end() {
            ClusterGroup& group = to.groups[to.group_count];
            bool is_used = to.masked_count > group.i.masked[0].begin;
            for (int which = 0; which < 3; ++which) {
                group.plain[which].end = to.plain_count[which];
                is_used = is_used || group.plain[which].count() > 0;
            }
            to.group_count += is_used;
        }

    private:
        [[gnu::always_inline]] std::uint32_t near(Four const& four, Squares const& nearest) const {
            return Four::with_any(four.listed & nearest.within(to.radius2));
        }
        [[gnu::always_inline]] void put(int which, Four const& four, std::uint32_t bits) {
            std::int32_t* const end = to.plain[which] + to.plain_count[which];
            to.plain_count[which] += static_cast<int>(four.put_clusters(bits, end) - end);
        }
    };

    /// Writes the pruned list of particles.
    struct Particles {
        PrunedParticleList to;
        std::uint16_t const* slots_without_lj;
        std::int32_t* next[slot_sections];

        Particles(ClusterList const& list, PrunedParticleList const& where)
            : to(where), slots_without_lj(list.clusters.without_lj) {}

        [[gnu::always_inline]] void begin(IClusters const& from) {
            ParticleGroup& group = to.groups[to.group_count];
            group.i = from;
            for (auto& range : group.i.masked) range = {to.masked_count, to.masked_count};
            for (int kind = 0; kind < slot_sections; ++kind) next[kind] = to.kinds[kind];
        }
        [[gnu::always_inline]] void alone(int which, Four const& four, Squares const& nearest) {
            put(which == near_first ? only_first : only_second, four, near(four, nearest));
        }
        [[gnu::always_inline]] void both(Four const& four, Squares const& nearest0, Squares const& nearest1) {
            std::uint32_t const first = near(four, nearest0), second = near(four, nearest1), both = first & second;
            std::uint32_t without_lj = 0;
            for (int n = 0; n < 4; ++n) without_lj |= std::uint32_t{slots_without_lj[four.clusters[n]]} << n;
            without_lj &= both;
            put(only_first, four, first ^ both);
            put(plain_both, four, both ^ without_lj);
            put(only_second, four, second ^ both);
            put(both_without_lj, four, without_lj);
        }
        [[gnu::always_inline]] void end() {
            ParticleGroup& group = to.groups[to.group_count];
            ListRange of[slot_sections];
            group.all.begin = to.slot_count;
            put_masked(group, 0);
            for (int kind = 0; kind < slot_sections; ++kind) {
                if (kind == both_without_lj) put_masked(group, 1);
                auto const count = static_cast<std::int32_t>(next[kind] - to.kinds[kind]);
                of[kind] = {to.slot_count, to.slot_count + count};
                std::memcpy(to.slots + to.slot_count, to.kinds[kind],
                            static_cast<std::size_t>(count) * sizeof(std::int32_t));
                to.slot_count += count;
            }
            group.all.end = to.slot_count;
            group.plain[0] = {of[only_first].begin, of[plain_both].end};
            group.plain[1] = {of[plain_both].begin, of[only_second].end};
            group.without_lj = of[both_without_lj];
            to.group_count += group.all.count() > 0;
        }

    private:
        [[gnu::always_inline]] std::uint32_t near(Four const& four, Squares const& nearest) const {
            return four.listed & nearest.within(to.radius2);
        }
        [[gnu::always_inline]] void put_masked(ParticleGroup& group, int s) {
            group.masked_begin[s] = to.slot_count;
            for (int n = group.i.masked[s].begin; n < group.i.masked[s].end; ++n) {
                FourSlots const four = FourSlots::of_cluster(to.masked[n].cluster);
                std::memcpy(to.slots + to.slot_count, four.of, sizeof four.of);
                to.slot_count += cluster_size;
            }
        }
        [[gnu::always_inline]] void put(int kind, Four const& four, std::uint32_t bits) {
            next[kind] = four.put_slots(bits, next[kind]);
            // Keeps the pointers out of vector registers, from which compilers would extract them slowly.
            asm("" : "+r"(next[kind]));
        }
    };

    template <class... Lists>
    [[gnu::always_inline]] static void of_group(ClusterList const& list, ClusterGroup const group, Lists&... lists) {
        (lists.begin(group.i), ...);
        if (group.i.count == 1)
            prune<1>(list, group, lists...);
        else
            prune<2>(list, group, lists...);
        (lists.end(), ...);
    }

    template <int i_clusters, class... Lists>
    [[gnu::always_inline]] static void prune(ClusterList const& list, ClusterGroup const& group, Lists&... lists) {
        IState i[i_clusters];
        unroll<i_clusters>([&](auto s) __attribute__((always_inline)) {
            i[s].set(IPositions<Real>(list.clusters, group.i, s));
            for (int k = group.i.masked[s].begin; k < group.i.masked[s].end; ++k) {
                MaskedPair const pair = list.masked[k];
                Squares const squares =
                    of_pairs(i[s], positions(list.clusters, ClusterSlots<Real, Arch>(pair.cluster), i[s].base));
                (keep_masked(lists.to, pair, squares), ...);
            }
            (end_masked(lists.to, s), ...);
            for_fours(
                list, group, s, [&](Four const& four) __attribute__((always_inline)) {
                    Squares const of_four = nearest(i[s], FourOfJ(list.clusters, four, i[s].base));
                    (lists.alone(s, four, of_four), ...);
                });
        });
        if constexpr (i_clusters == 2)
            for_fours(
                list, group, near_both, [&](Four const& four) __attribute__((always_inline)) {
                    FourOfJ const j(list.clusters, four, i[0].base);
                    Squares const nearest0 = nearest(i[0], j), nearest1 = nearest(i[1], j);
                    (lists.both(four, nearest0, nearest1), ...);
                });
    }
    template <class Body> [[gnu::always_inline]] static void for_fours(ClusterList const& list,
                                                                       ClusterGroup const& group, int which,
                                                                       Body const& body) {
        ListRange const range = group.plain[which];
        for (int k = range.begin; k < range.end; k += 4) body(Four(list.plain[which] + k, range.end - k));
    }
};

}  // namespace trotter::cpu
