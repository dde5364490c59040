// The inner loop over the pairs of clusters, for any interaction of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/layout.hpp>
#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// Where the particles of a group's i cluster are, relative to `base`.
template <class Real> struct IPositions {
    Real x[3][i_size];
    Real base[3];

    /// `j_size` divides the blocks that clusters are stored in.
    [[gnu::always_inline]] IPositions(ClusterView<Real> const& clusters, PairGroup const& group, double const* box, int j_size) {
        int const block = group.cluster * i_size / j_size, first = group.cluster * i_size % j_size;
        for (int axis = 0; axis < 3; ++axis) {
            double shift = 0;
            for (int n = 0; n < 3; ++n) shift += group.image[n] * box[3 * n + axis];
            // Multiples of 1/8 go to the base in float; in double everything is absolute.
            double const rounded = sizeof(Real) == 4 ? static_cast<double>(static_cast<std::int64_t>(shift * 8)) / 8 : 0.0;
            base[axis] = clusters.references[3 * block + axis] + static_cast<Real>(rounded);
            for (int i = 0; i < i_size; ++i) {
                double const stored = clusters.coordinates[(3 * block + axis) * j_size + first + i];
                // Unused places stand far away, those of i and of j on opposite sides.
                x[axis][i] = static_cast<Real>(stored < 1e17 ? stored + (shift - rounded) : -stored);
            }
        }
    }
};

/// Carries out `Interaction` for all pairs of a task, adds forces and sums to the task's buffers and returns the energy.
///
/// An Interaction has `IParameters(Real const* p, int k)` and `JParameters(Real const* p, int part)`, which load what
/// particles have, and `evaluate<is_masked>(r2, i, j, interacting, screened, energy)`, which adds to the energy and returns
/// `force_over_r` (where it `has_forces`) and what the pair adds to a number that each particle has, `sum_i` and `sum_j`
/// (where it `has_sums`).
template <class Real, class Arch, class Interaction> struct PairLoop {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    using M = Mask<Real, Arch>;
    static constexpr int registers = L::registers, j_size = L::j_size;
    static constexpr bool has_forces = Interaction::has_forces, has_sums = Interaction::has_sums;
    using IParameters = typename Interaction::IParameters;

    struct IState {
        B x[registers], y[registers], z[registers];
        B fx[registers], fy[registers], fz[registers], sum[registers];
        B base[3];
        IParameters parameters[registers];
    };

    static double run(PairView<Real> const& view, Interaction const& interaction) {
        double energy = 0;
        for (int n = 0; n < view.group_count; ++n) energy += group(view, view.groups[n], interaction);
        return energy;
    }

private:
    [[gnu::always_inline]] static double group(PairView<Real> const& view, PairGroup const& g, Interaction const& interaction) {
        IState i = start(view, g);
        B energy(Real(0));
        for (int n = g.masked_begin; n < g.masked_end; ++n)
            unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
                pair<part, true>(view, view.masked[n], i, interaction, energy);
            });
        for (int n = g.plain_begin; n < g.plain_end; ++n)
            unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
                pair<part, false>(view, MaskedPair{view.plain[n], 0, 0}, i, interaction, energy);
            });
        finish(view, g, i);
        if constexpr (Interaction::with_energy) return static_cast<double>(sum<Real, Arch>(energy));
        else return 0;
    }

    [[gnu::always_inline]] static IState start(PairView<Real> const& view, PairGroup const& g) {
        IPositions<Real> const at(view.clusters, g, view.box, j_size);
        int const block = g.cluster * i_size / j_size, first = g.cluster * i_size % j_size;
        IState i;
        unroll<registers>([&](auto k) __attribute__((always_inline)) {
            i.x[k] = L::load_i(at.x[0], k);
            i.y[k] = L::load_i(at.x[1], k);
            i.z[k] = L::load_i(at.x[2], k);
            if constexpr (has_forces) i.fx[k] = i.fy[k] = i.fz[k] = B(Real(0));
            if constexpr (has_sums) i.sum[k] = B(Real(0));
            i.parameters[k] = IParameters(view.clusters.parameters + 3 * block * j_size + first, k);
        });
        unroll<3>([&](auto axis) __attribute__((always_inline)) { i.base[axis] = B(at.base[axis]); });
        return i;
    }

    /// The coordinates of j particles relative to the base of i.
    template <int part> [[gnu::always_inline]] static B load_j(ClusterView<Real> const& clusters, int j, int axis, B const& base) {
        B const stored = L::load_j(clusters.coordinates + (3 * j + axis) * j_size, part);
        if constexpr (sizeof(Real) == 4) return stored + (B(clusters.references[3 * j + axis]) - base);
        else return stored;
    }

    template <int part, bool is_masked>
    [[gnu::always_inline]] static void pair(PairView<Real> const& view, MaskedPair const& entry, IState& i, Interaction const& interaction,
                                            B& energy) {
        int const j = entry.cluster;
        B const xj = load_j<part>(view.clusters, j, 0, i.base[0]);
        B const yj = load_j<part>(view.clusters, j, 1, i.base[1]);
        B const zj = load_j<part>(view.clusters, j, 2, i.base[2]);
        typename Interaction::JParameters const parameters(view.clusters.parameters + 3 * j * j_size, part);
        B fx(Real(0)), fy(Real(0)), fz(Real(0)), sum_j(Real(0));
        unroll<registers>([&](auto k) __attribute__((always_inline)) {
            B const dx = i.x[k] - xj, dy = i.y[k] - yj, dz = i.z[k] - zj;
            B const r2 = xsimd::fma(dz, dz, xsimd::fma(dy, dy, B(dx * dx)));
            M const near = r2 <= interaction.cutoff2;
            M interacting = near, screened = near;
            if constexpr (is_masked) {
                interacting = near & L::mask(entry.interacting, k, part);
                screened = near & L::mask(entry.interacting | entry.screened, k, part);
            }
            auto const result = interaction.template evaluate<is_masked>(r2, i.parameters[k], parameters, interacting, screened, energy);
            if constexpr (has_forces) {
                B const x = result.force_over_r * dx, y = result.force_over_r * dy, z = result.force_over_r * dz;
                i.fx[k] += x;
                i.fy[k] += y;
                i.fz[k] += z;
                fx = k == 0 ? x : fx + x;
                fy = k == 0 ? y : fy + y;
                fz = k == 0 ? z : fz + z;
            }
            if constexpr (has_sums) {
                i.sum[k] += result.sum_i;
                sum_j -= result.sum_j;
            }
        });
        std::ptrdiff_t const place = (view.force_start[j / granule] + j) * j_size;
        if constexpr (has_forces) {
            L::subtract_j(view.forces + 3 * place, part, fx);
            L::subtract_j(view.forces + 3 * place + j_size, part, fy);
            L::subtract_j(view.forces + 3 * place + 2 * j_size, part, fz);
        }
        if constexpr (has_sums) L::subtract_j(view.sums + place, part, sum_j);
    }

    [[gnu::always_inline]] static void finish(PairView<Real> const& view, PairGroup const& g, IState const& i) {
        int const block = g.cluster * i_size / j_size, first = g.cluster * i_size % j_size;
        std::ptrdiff_t const place = (view.force_start[block / granule] + block) * j_size;
        unroll<registers>([&](auto k) __attribute__((always_inline)) {
            if constexpr (has_forces) {
                L::add_i(view.forces + 3 * place + first, k, i.fx[k]);
                L::add_i(view.forces + 3 * place + j_size + first, k, i.fy[k]);
                L::add_i(view.forces + 3 * place + 2 * j_size + first, k, i.fz[k]);
            }
            if constexpr (has_sums) L::add_i(view.sums + place + first, k, i.sum[k]);
        });
    }
};

}  // namespace trotter::cpu
