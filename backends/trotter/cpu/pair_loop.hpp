// The inner loop over the pairs of clusters, for any interaction of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/layout.hpp>
#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// Where the particles of a group's i cluster are, relative to `base`.
template <class Real> struct IPositions {
    Real x[3][cluster_size];
    Real base[3];

    [[gnu::always_inline]] IPositions(ClusterView<Real> const& clusters, PairGroup const& group, double const* box) {
        for (int axis = 0; axis < 3; ++axis) {
            double const shift =
                group.image[0] * box[axis] + group.image[1] * box[3 + axis] + group.image[2] * box[6 + axis];
            // Multiples of 1/8 go to the base in float; in double everything is absolute.
            double const rounded =
                sizeof(Real) == 4 ? static_cast<double>(static_cast<std::int64_t>(shift * 8)) / 8 : 0.0;
            base[axis] = clusters.references[3 * group.cluster + axis] + static_cast<Real>(rounded);
            Real const* const stored = clusters.coordinates_of(group.cluster, axis);
            for (int i = 0; i < cluster_size; ++i) x[axis][i] = static_cast<Real>(stored[i] + (shift - rounded));
        }
    }
};

/// The parameters of particles, one in each lane.
template <class T, int count = 3> struct PairParameters { T p[count > 0 ? count : 1]; };

/// Carries out `Interaction` for all pairs of a task, adds forces and sums to the task's buffers and returns the
/// energy.
///
/// An Interaction has a `parameter_count`, and `evaluate<is_masked>(r2, 1/r, i, j, interacting, screened)`, whose
/// result has `force_over_r` (where it `has_forces`), `energy` (`with_energy`), and what the pair adds to a number that
/// each particle has, `sum_i` and `sum_j` (`has_sums`).
template <class Real, class Arch, class Interaction> struct PairLoop {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    using T = typename L::T;
    static constexpr int packs = L::packs, together = L::together;
    static constexpr bool has_forces = Interaction::has_forces, has_sums = Interaction::has_sums,
                          with_energy = Interaction::with_energy;
    static constexpr int parameter_count = Interaction::parameter_count;
    using Parameters = PairParameters<T, parameter_count>;

    struct IState {
        T x[3][packs];
        Parameters parameters[packs];
        T force[3][packs], sum[packs];  ///< forces with the opposite sign
        B energy;
        B base[3];
    };

    struct Distances {
        T d[3][packs], r2[packs], inverse[packs];
    };

    /// What a j cluster gets, not yet added up over the rows.
    struct OnJ {
        B force[3], sum;
        std::int32_t cluster;
    };

    // By value: stores of vectors could change what lies behind a reference, so it would be loaded again and again.
    static double run(PairView<Real> const view, Interaction const interaction) {
        double energy = 0;
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const g = view.groups[n];
            energy += group(view, g, interaction);
        }
        return energy;
    }

private:
    [[gnu::always_inline]] static double group(PairView<Real> const& view, PairGroup const& g,
                                               Interaction const& interaction) {
        IState i = start(view, g);
        for (int n = g.masked_begin; n < g.masked_end; ++n) masked(view, view.masked[n], i, interaction);
        plain(view, g, i, interaction);
        finish(view, g, i);
        if constexpr (with_energy)
            return static_cast<double>(sum<Real, Arch>(i.energy));
        else
            return 0;
    }

    /// Packs beyond one do not fit into registers anyway: a loop over them compiles in a fraction of the time.
    template <class Body> [[gnu::always_inline]] static void for_packs(Body const& body) {
        if constexpr (packs == 1)
            body(std::integral_constant<int, 0>{});
        else
            for (int k = 0; k < packs; ++k) body(k);
    }

    [[gnu::always_inline]] static void masked(PairView<Real> const& view, MaskedPair const& entry, IState& i,
                                              Interaction const& interaction) {
        for (int part = 0; part < L::parts; ++part)
            add(view, act<true>(view, entry, part, distances(view.clusters, entry.cluster, part, i), i, interaction),
                part);
    }

    /// Each cluster is a chain of dependent operations that is too long for processors to begin the next one by
    /// themselves, so stages of different clusters are interleaved.
    [[gnu::always_inline]] static void plain(PairView<Real> const& view, PairGroup const& g, IState& i,
                                             Interaction const& interaction) {
        if (g.plain_begin == g.plain_end) return;
        if constexpr (L::parts > 1)
            plain_by_parts(view, g, i, interaction);
        else if constexpr (has_avx512<Arch>)
            plain_in_three_stages(view, g, i, interaction);
        else
            plain_in_two_stages(view, g, i, interaction);
    }

    /// Distances to the next cluster, forces of the present one, and what the last one gets of them.
    [[gnu::always_inline]] static void plain_in_three_stages(PairView<Real> const& view, PairGroup const& g, IState& i,
                                                             Interaction const& interaction) {
        Distances next = distances(view.clusters, view.plain[g.plain_begin], 0, i);
        OnJ last = nothing(g.cluster);
        for (int n = g.plain_begin; n < g.plain_end; ++n) {
            Distances const present = next;
            // Behind the last comes whatever the list holds there; its distances are not used.
            next = distances(view.clusters, view.plain[n + 1], 0, i);
            OnJ const on_j = act<false>(view, {view.plain[n], 0, 0}, 0, present, i, interaction);
            add(view, last, 0);
            last = on_j;
        }
        add(view, last, 0);
    }

    /// The first of these beside the others. With sixteen registers distances wait in memory: two places in turn save
    /// copies from one to the other.
    [[gnu::always_inline]] static void plain_in_two_stages(PairView<Real> const& view, PairGroup const& g, IState& i,
                                                           Interaction const& interaction) {
        auto at = [&](int n) __attribute__((always_inline)) { return distances(view.clusters, view.plain[n], 0, i); };
        auto step = [&](int n, Distances const& d) __attribute__((always_inline)) {
            add(view, act<false>(view, {view.plain[n], 0, 0}, 0, d, i, interaction), 0);
        };
        Distances even = at(g.plain_begin);
        int n = g.plain_begin;
        for (; n + 1 < g.plain_end; n += 2) {
            Distances const odd = at(n + 1);
            step(n, even);
            even = at(n + 2);
            step(n + 1, odd);
        }
        if (n < g.plain_end) step(n, even);
    }

    [[gnu::always_inline]] static void plain_by_parts(PairView<Real> const& view, PairGroup const& g, IState& i,
                                                      Interaction const& interaction) {
        for (int n = g.plain_begin; n < g.plain_end; ++n)
            for (int part = 0; part < L::parts; ++part) {
                MaskedPair const entry{view.plain[n], 0, 0};
                add(view,
                    act<false>(view, entry, part, distances(view.clusters, entry.cluster, part, i), i, interaction),
                    part);
            }
    }

    [[gnu::always_inline]] static IState start(PairView<Real> const& view, PairGroup const& g) {
        IPositions<Real> const at(view.clusters, g, view.box);
        Real const* const parameters = view.clusters.parameters + parameter_count * g.cluster * cluster_size;
        IState i;
        for_packs([&](auto k) __attribute__((always_inline)) {
            unroll<3>([&](auto n) __attribute__((always_inline)) {
                i.x[n][k] = L::load_i_pack(at.x[n], k);
                if constexpr (has_forces) i.force[n][k] = T(Real(0));
            });
            unroll<parameter_count>([&](auto n) __attribute__((always_inline)) {
                i.parameters[k].p[n] = L::load_i_pack(parameters + n * cluster_size, k);
            });
            if constexpr (has_sums) i.sum[k] = T(Real(0));
        });
        unroll<3>([&](auto axis)
                      __attribute__((always_inline)) { i.base[axis] = lanes_of_one<Real, Arch>(at.base[axis]); });
        i.energy = B(Real(0));
        return i;
    }

    [[gnu::always_inline]] static Distances distances(ClusterView<Real> const& clusters, std::ptrdiff_t j, int part,
                                                      IState const& i) {
        Distances result;
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            T const x(L::position_j(clusters, j, part, axis, i.base[axis]));
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

    [[gnu::always_inline]] static typename T::M mask(std::uint32_t bits, int pack, int part) {
        return T::each_mask([&](auto n)
                                __attribute__((always_inline)) { return L::mask(bits, pack * together + n, part); });
    }

    [[gnu::always_inline]] static void finish(PairView<Real> const& view, PairGroup const& g, IState const& i) {
        std::ptrdiff_t const place = view.touched(g.cluster) * cluster_size;
        auto add = [&](Real * to, T const* packs_of) __attribute__((always_inline)) {
            L::add_i(
                to, [&](auto k) __attribute__((always_inline)) { return packs_of[k / together].parts[k % together]; });
        };
        if constexpr (has_forces)
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                T opposite[packs];
                for_packs([&](auto k) __attribute__((always_inline)) { opposite[k] = -i.force[axis][k]; });
                add(view.forces + 3 * place + axis * cluster_size, opposite);
            });
        if constexpr (has_sums) add(view.sums + place, i.sum);
    }
};

}  // namespace trotter::cpu
