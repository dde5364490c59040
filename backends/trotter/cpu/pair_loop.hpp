// The inner loop over the pairs of clusters, for any interaction of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <trotter/cpu/layout.hpp>
#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// Where the particles of i cluster `s` of a group are, relative to `base`, which is the same for all of them.
template <class Real> struct IPositions {
    alignas(cluster_size * sizeof(Real)) Real x[3][cluster_size];
    ReferencePoint<Real> base;

    [[gnu::always_inline]] IPositions(ClusterView<Real> const& clusters, PairGroup const& group, int s,
                                      double const* box) {
        std::ptrdiff_t const cluster = group.cluster + s;
        for (int axis = 0; axis < 3; ++axis) {
            double const shift =
                group.image[0] * box[axis] + group.image[1] * box[3 + axis] + group.image[2] * box[6 + axis];
            // Multiples of 1/8 go to the base in float; in double everything is absolute.
            double const rounded =
                sizeof(Real) == 4 ? static_cast<double>(static_cast<std::int64_t>(shift * 8)) / 8 : 0.0;
            base.x[axis] = clusters.references[3 * group.cluster + axis] + static_cast<Real>(rounded);
            double const from_first = static_cast<double>(clusters.references[3 * cluster + axis])
                                      - static_cast<double>(clusters.references[3 * group.cluster + axis]);
            // As vectors: numbers that are stored one by one take long to be loaded together.
            using Reals [[gnu::vector_size(cluster_size * sizeof(Real))]] = Real;
            using Doubles [[gnu::vector_size(cluster_size * sizeof(double))]] = double;
            Reals stored;
            std::memcpy(&stored, clusters.coordinates_of(cluster, axis), sizeof stored);
            stored = __builtin_convertvector(__builtin_convertvector(stored, Doubles) + (shift - rounded + from_first),
                                             Reals);
            std::memcpy(x[axis], &stored, sizeof stored);
        }
        base.x[3] = 0;
    }
};

/// The parameters of particles, one in each lane.
template <class T, int count = 3> struct PairParameters { T p[count > 0 ? count : 1]; };

/// An Interaction has a `parameter_count`, and `evaluate<is_masked>(r2, 1/r, i, j, interacting, screened)`, whose
/// result has `force_over_r` (where it `has_forces`), `energy` (`with_energy`), and what the pair adds to a number that
/// each particle has, `sum_i` and `sum_j` (`has_sums`).
///
/// The pairs of one i cluster, or two that stand one upon the other, with j clusters: what is known of the i particles,
/// in registers, and what happens to each j cluster.
template <class Real, class Arch, class Interaction, int i_clusters> struct PairTile {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    static constexpr int registers = i_clusters * L::registers;
    /// How many registers are worked on together: they are independent of each other, but two fill the processor.
    static constexpr int together = registers < 2 ? 1 : 2, packs = registers / together;
    using T = Pack<Real, Arch, together>;
    static constexpr bool has_forces = Interaction::has_forces, has_sums = Interaction::has_sums,
                          with_energy = Interaction::with_energy;
    static constexpr int parameter_count = Interaction::parameter_count;
    using Parameters = PairParameters<T, parameter_count>;

    struct IState {
        T x[3][packs];
        Parameters parameters[packs];
        T force[3][packs], sum[packs];  ///< forces with the opposite sign
        B energy;
        ReferencePoint<Real> base;
    };

    struct Distances {
        T d[3][packs], r2[packs], inverse[packs];
    };

    /// What a j cluster gets, not yet added up over the rows.
    struct OnJ {
        B force[3], sum;
        std::int32_t cluster;
    };

    /// Packs beyond one do not fit into registers anyway: a loop over them compiles in a fraction of the time.
    template <class Body> [[gnu::always_inline]] static void for_packs(Body const& body) {
        if constexpr (packs == 1)
            body(std::integral_constant<int, 0>{});
        else
            for (int k = 0; k < packs; ++k) body(k);
    }
    /// A pack of what `function` has for each register of pack `k`: (number in the pack, i cluster, its register).
    template <class Function> [[gnu::always_inline]] static T each(int k, Function const& function) {
        return T::each([&](auto n) __attribute__((always_inline)) {
            int const number = k * together + n;
            return function(number / L::registers, number % L::registers);
        });
    }

    [[gnu::always_inline]] static IState start(PairView<Real> const& view, PairGroup const& g, int first) {
        IState i;
        Real const* parameters[i_clusters];
        alignas(64) Real x[i_clusters][3][cluster_size];
        for (int s = 0; s < i_clusters; ++s) {
            IPositions<Real> const at(view.clusters, g, first + s, view.box);
            std::memcpy(x[s], at.x, sizeof at.x);
            i.base = at.base;
            parameters[s] =
                view.clusters.parameters + std::ptrdiff_t{parameter_count * cluster_size} * (g.cluster + first + s);
        }
        for_packs([&](auto k) __attribute__((always_inline)) {
            unroll<3>([&](auto n) __attribute__((always_inline)) {
                i.x[n][k] = each(
                    k, [&](int s, int r) __attribute__((always_inline)) { return L::load_i(x[s][n], r); });
                if constexpr (has_forces) i.force[n][k] = T(Real(0));
            });
            unroll<parameter_count>([&](auto n) __attribute__((always_inline)) {
                i.parameters[k].p[n] = each(
                    k, [&](int s, int r)
                           __attribute__((always_inline)) { return L::load_i(parameters[s] + n * cluster_size, r); });
            });
            if constexpr (has_sums) i.sum[k] = T(Real(0));
        });
        i.energy = B(Real(0));
        return i;
    }

    [[gnu::always_inline]] static Distances distances(ClusterView<Real> const& clusters, std::ptrdiff_t j, int part,
                                                      IState const& i) {
        Distances result;
        auto const from_base = L::reference_of(clusters, j, i.base);
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            T const x(L::coordinates_of_j(clusters, j, axis, part, from_base));
            for_packs([&](auto k) __attribute__((always_inline)) { result.d[axis][k] = x - i.x[axis][k]; });
        });
        for_packs([&](auto k) __attribute__((always_inline)) {
            auto const &dx = result.d[0][k], &dy = result.d[1][k], &dz = result.d[2][k];
            result.r2[k] = multiply_add(dz, dz, multiply_add(dy, dy, dx * dx));
            result.inverse[k] = inverse_sqrt(result.r2[k]);
        });
        return result;
    }

    template <bool is_masked> [[gnu::always_inline]] static OnJ act(PairView<Real> const& view, MaskedPair const& entry,
                                                                    int part, Distances const& at, IState& i,
                                                                    Interaction const& interaction) {
        Real const* const parameters_of_j =
            view.clusters.parameters + std::ptrdiff_t{parameter_count * cluster_size} * entry.cluster;
        Parameters parameters;
        unroll<parameter_count>([&](auto n) __attribute__((always_inline)) {
            parameters.p[n] = T(L::load_j(parameters_of_j + n * cluster_size, part));
        });
        OnJ on_j;
        on_j.cluster = entry.cluster;
        for_packs([&](auto k) __attribute__((always_inline)) {
            auto near = at.r2[k] <= T(interaction.cutoff2);
            auto interacting = near, screened = near;
            if constexpr (is_masked) {
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    near = near & (T(-view.half_box[axis]) < at.d[axis][k]);
                });
                interacting = near & mask(entry.interacting, k, part);
                screened = near & mask(entry.interacting | entry.screened, k, part);
            }
            auto const result = interaction.template evaluate<is_masked>(at.r2[k], at.inverse[k], i.parameters[k],
                                                                         parameters, interacting, screened);
            if constexpr (with_energy) i.energy += result.energy.total();
            if constexpr (has_forces)
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    T const f = result.force_over_r * at.d[axis][k];
                    i.force[axis][k] += f;
                    on_j.force[axis] = k == 0 ? f.total() : on_j.force[axis] + f.total();
                });
            if constexpr (has_sums) {
                i.sum[k] += result.sum_i;
                on_j.sum = k == 0 ? result.sum_j.total() : on_j.sum + result.sum_j.total();
            }
        });
        return on_j;
    }

    [[gnu::always_inline]] static OnJ nothing(int cluster) {
        B const zero(Real(0));
        return {{zero, zero, zero}, zero, cluster};
    }
    [[gnu::always_inline]] static void add(PairView<Real> const& view, OnJ const& on_j, int part) {
        std::ptrdiff_t const place = view.touched(on_j.cluster) * cluster_size;
        if constexpr (has_forces) L::add_vectors_j(view.forces + 3 * place, part, on_j.force);
        if constexpr (has_sums) L::add_j(view.sums + place, part, on_j.sum);
    }

    /// Each j cluster is a chain of dependent operations that is too long for processors to begin the next one by
    /// themselves, so stages of different clusters are interleaved.
    [[gnu::always_inline]] static void plain(PairView<Real> const& view, std::int32_t const* entries, ListRange range,
                                             IState& i, Interaction const& interaction) {
        if (range.begin == range.end) return;
        if constexpr (L::parts > 1)
            plain_by_parts(view, entries, range, i, interaction);
        else if constexpr (has_avx512<Arch>)
            plain_in_three_stages(view, entries, range, i, interaction);
        else
            plain_in_two_stages(view, entries, range, i, interaction);
    }

private:
    /// Distances to the next cluster, forces of the present one, and what the last one gets of them.
    [[gnu::always_inline]] static void plain_in_three_stages(PairView<Real> const& view, std::int32_t const* entries,
                                                             ListRange range, IState& i,
                                                             Interaction const& interaction) {
        Distances next = distances(view.clusters, entries[range.begin], 0, i);
        OnJ last = nothing(entries[range.begin]);
        for (int n = range.begin; n < range.end; ++n) {
            Distances const present = next;
            // Behind the last comes whatever the list holds there; its distances are not used.
            next = distances(view.clusters, entries[n + 1], 0, i);
            OnJ const on_j = act<false>(view, {entries[n], 0, 0}, 0, present, i, interaction);
            add(view, last, 0);
            last = on_j;
        }
        add(view, last, 0);
    }

    /// The first of these beside the others. With sixteen registers distances wait in memory: two places in turn save
    /// copies from one to the other.
    [[gnu::always_inline]] static void plain_in_two_stages(PairView<Real> const& view, std::int32_t const* entries,
                                                           ListRange range, IState& i, Interaction const& interaction) {
        auto at = [&](int n) __attribute__((always_inline)) { return distances(view.clusters, entries[n], 0, i); };
        auto step = [&](int n, Distances const& d) __attribute__((always_inline)) {
            add(view, act<false>(view, {entries[n], 0, 0}, 0, d, i, interaction), 0);
        };
        Distances even = at(range.begin);
        int n = range.begin;
        for (; n + 1 < range.end; n += 2) {
            Distances const odd = at(n + 1);
            step(n, even);
            even = at(n + 2);
            step(n + 1, odd);
        }
        if (n < range.end) step(n, even);
    }

    [[gnu::always_inline]] static void plain_by_parts(PairView<Real> const& view, std::int32_t const* entries,
                                                      ListRange range, IState& i, Interaction const& interaction) {
        for (int n = range.begin; n < range.end; ++n)
            for (int part = 0; part < L::parts; ++part) {
                MaskedPair const entry{entries[n], 0, 0};
                add(view,
                    act<false>(view, entry, part, distances(view.clusters, entry.cluster, part, i), i, interaction),
                    part);
            }
    }

    [[gnu::always_inline]] static typename T::M mask(std::uint32_t bits, int pack, int part) {
        return T::each_mask([&](auto n)
                                __attribute__((always_inline)) { return L::mask(bits, pack * together + n, part); });
    }
};

/// Carries out `Interaction` for all pairs of a task, adds forces and sums to the task's buffers and returns the
/// energy.
template <class Real, class Arch, class Interaction> struct PairLoop {
    using L = Layout<Real, Arch>;
    using One = PairTile<Real, Arch, Interaction, 1>;
    using Two = PairTile<Real, Arch, Interaction, 2>;
    /// Whether there are registers enough for two i clusters at once.
    static constexpr bool takes_two = has_avx512<Arch> && L::registers == 1;

    // By value: stores of vectors could change what lies behind a reference, so it would be loaded again and again.
    static double run(PairView<Real> const view, Interaction const interaction) {
        double energy = 0;
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const g = view.groups[n];
            if constexpr (takes_two)
                if (g.plain[near_both].begin < g.plain[near_both].end) {
                    energy += both(view, g, interaction);
                    continue;
                }
            for (int s = 0; s < g.count; ++s) energy += alone(view, g, s, interaction);
        }
        return energy;
    }

private:
    using State = typename One::IState;

    [[gnu::noinline]] static double alone(PairView<Real> const& view, PairGroup const& g, int s,
                                          Interaction const& interaction) {
        State i = One::start(view, g, s);
        if constexpr (!takes_two) One::plain(view, view.plain[near_both], g.plain[near_both], i, interaction);
        return rest(view, g, s, i, interaction);
    }
    [[gnu::always_inline]] static double both(PairView<Real> const& view, PairGroup const& g,
                                              Interaction const& interaction) {
        auto i = Two::start(view, g, 0);
        Two::plain(view, view.plain[near_both], g.plain[near_both], i, interaction);
        double energy = 0;
        for (int s = 0; s < 2; ++s) {
            State of_one = part(i, s);
            energy += rest(view, g, s, of_one, interaction);
        }
        if constexpr (Interaction::with_energy) energy += static_cast<double>(sum<Real, Arch>(i.energy));
        return energy;
    }
    /// What the two registers of a state have of i cluster `s`.
    [[gnu::always_inline]] static State part(typename Two::IState const& i, int s) {
        State result;
        auto const of_one = [&](auto const& pack) __attribute__((always_inline)) {
            return typename One::T(s == 0 ? pack.parts[0] : pack.parts[1]);
        };
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            result.x[axis][0] = of_one(i.x[axis][0]);
            if constexpr (Interaction::has_forces) result.force[axis][0] = of_one(i.force[axis][0]);
        });
        unroll<Interaction::parameter_count>([&](auto n) __attribute__((always_inline)) {
            result.parameters[0].p[n] = of_one(i.parameters[0].p[n]);
        });
        if constexpr (Interaction::has_sums) result.sum[0] = of_one(i.sum[0]);
        result.energy = typename L::B(Real(0));
        result.base = i.base;
        return result;
    }
    /// What is near i cluster `s` alone.
    [[gnu::always_inline]] static double rest(PairView<Real> const& view, PairGroup const& g, int s, State& i,
                                              Interaction const& interaction) {
        for (int n = g.masked[s].begin; n < g.masked[s].end; ++n) masked(view, view.masked[n], i, interaction);
        One::plain(view, view.plain[s], g.plain[s], i, interaction);
        finish(view, g.cluster + s, i);
        if constexpr (Interaction::with_energy)
            return static_cast<double>(sum<Real, Arch>(i.energy));
        else
            return 0;
    }
    [[gnu::always_inline]] static void masked(PairView<Real> const& view, MaskedPair const& entry, State& i,
                                              Interaction const& interaction) {
        for (int part = 0; part < L::parts; ++part)
            One::add(view,
                     One::template act<true>(view, entry, part, One::distances(view.clusters, entry.cluster, part, i),
                                             i, interaction),
                     part);
    }

    [[gnu::always_inline]] static void finish(PairView<Real> const& view, std::int32_t cluster, State const& i) {
        std::ptrdiff_t const place = view.touched(cluster) * cluster_size;
        auto add = [&](Real * to, typename One::T const* packs_of) __attribute__((always_inline)) {
            L::add_i(
                to, [&](auto k) __attribute__((always_inline)) {
                    return packs_of[k / One::together].parts[k % One::together];
                });
        };
        if constexpr (Interaction::has_forces)
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                typename One::T opposite[One::packs];
                One::for_packs([&](auto k) __attribute__((always_inline)) { opposite[k] = -i.force[axis][k]; });
                add(view.forces + 3 * place + axis * cluster_size, opposite);
            });
        if constexpr (Interaction::has_sums) add(view.sums + place, i.sum);
    }
};

}  // namespace trotter::cpu
