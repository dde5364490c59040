// The inner loop over the pairs of a list, for any pair interaction.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <trotter/common/formulas/jit_pair_kernel.hpp>
#include <trotter/cpu/pair_loops/block_lanes.hpp>
#include <trotter/cpu/pair_loops/pair_block.hpp>
#include <trotter/cpu/pair_loops/sites_first.hpp>
#include <trotter/parts/least_distance.hpp>

namespace trotter::cpu {

/// Kinds of pairs in a loop: some do not interact; all do; all do, and one particle of each has no Lennard-Jones site.
enum class PairKind { masked, plain, without_lj };

/// Parameters of particles, one in each lane.
template <class T, int count = 3> struct PairParameters { T p[count > 0 ? count : 1]; };

/// An Interaction whose loop is machine code, see JitPair.
template <class Interaction>
concept HasLoopCode = requires(Interaction const& interaction) {
    interaction.code;
};

/// Evaluates `Interaction` for all pairs of a task, adds forces and sums to the task's buffers and returns the energy:
/// one i particle after the other, with all of its j particles in lanes.
///
/// An Interaction has a `parameter_count`, and `evaluate<kind>(r2, 1/r, i, j, interacting, screened)`, whose result has
/// `force_over_r` (if it `has_forces`), `energy` (`with_energy`), and contributions to per-particle sums, `sum_i` and
/// `sum_j` (`has_sums`). If it `has_charges`, the first parameter is the charge stored with coordinates, the only
/// parameter available for pairs without a Lennard-Jones site.
///
/// Alternatively it has `code`, a JitPairKernel's function, which replaces `evaluate` and the loop around it, and a
/// `frame` for that.
template <class Real, class Arch, class Interaction> class PairLoop {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    static constexpr bool has_forces = Interaction::has_forces, has_sums = Interaction::has_sums,
                          with_energy = Interaction::with_energy, has_charges = Interaction::has_charges,
                          is_code = HasLoopCode<Interaction>;
    static constexpr int parameter_count = Interaction::parameter_count, width = L::width,
                         most = 2 * cluster_size;  ///< i particles of a group
    using Block = PairBlock<Real, Arch, parameter_count, has_charges, has_forces, has_sums>;
    using Few = typename Block::Few;
    using BlockLanes = cpu::BlockLanes<Real, Arch, Block::capacity>;
    using Near = typename BlockLanes::Near;
    /// The number of i particles processed together, where it pays: j particles' data and constants are loaded, and j
    /// forces stored, once for them.
    static constexpr int together = has_avx512<Arch> || (has_avx2<Arch> && !is_code) ? 2 : 1;
    using T = Pack<Real, Arch, together>;
    using M = typename T::M;
    using Parameters = PairParameters<T, parameter_count>;
    /// Double with charges: of consecutive charges of one sign, sums of energies are large before they cancel.
    using Energy = std::conditional_t<has_charges, double, Real>;
    using Energies [[gnu::vector_size(width * sizeof(Energy))]] = Energy;

public:
    static JitPairLayout code_layout() {
        constexpr int number = sizeof(Real), vector = sizeof(B);
        return {.number_bytes = number,
                .vector_bytes = vector,
                .first_particles = cluster_size,
                .at_once = together,
                .next_first = most * number,
                .first_parameters = 3 * most * number,
                .next_force = most * vector,
                .second_bytes = sizeof(Few),
                .coordinates = offsetof(Few, x),
                .parameters = offsetof(Few, parameters),
                .forces = offsetof(Few, got),
                .mask_bytes = sizeof(StoredMask<Real, Arch>)};
    }
    static double run(PairView<Real> const& view, Interaction const& interaction) {
        FlushToZero<Arch> const while_running;
        PairLoop loop(view, interaction);
        for (int n = 0; n < view.group_count; ++n) {
            loop.look_ahead(n + 1);
            loop.group(view.groups[n]);
        }
        return loop.energy_;
    }

private:
    /// The particles of one or two i clusters, and the order in which loops take those of each.
    struct IParticles {
        Real x[3][most], parameters[parameter_count > 0 ? parameter_count : 1][most];
        B force[3][most], sum[most];
        typename SitesFirst<Arch>::Order const* order[2];
        Steps base;
    };
    /// The i particles processed together, in registers.
    struct Present {
        T x[3], force[3], sum;
        Parameters parameters;
        Energies energy;
    };
    struct AllLanes {};

    PairLoop(PairView<Real> const& view, Interaction const& interaction) : view_(view), interaction_(interaction) {
        if constexpr (is_code)
            for (int n = 0; n < Block::capacity / width; ++n) set_lanes(n, 0, width);
    }

    /// Prefetches a group's i particles and masked pairs, while the group before it is processed.
    [[gnu::always_inline]] void look_ahead(int n) {
        ahead_ = {0, 0};
        if (n >= view_.group_count) return;
        ParticleGroup const& next = view_.groups[n];
        ahead_ = next.all;
        for (int s = 0; s < next.i.count; ++s) {
            std::ptrdiff_t const slot = std::ptrdiff_t{cluster_size} * (next.i.cluster + s);
            __builtin_prefetch(view_.clusters.references + record_size * slot);
            __builtin_prefetch(view_.clusters.coordinates_of(slot));
            __builtin_prefetch(view_.clusters.parameters + Block::stride * slot);
            __builtin_prefetch(view_.masked + next.i.masked[s].begin);
        }
    }
    /// Prefetches part of the next group's list. Lists are read once per step, from distant memory, and in pieces too
    /// short for hardware prefetching; a few lines before each loop, since many outstanding loads stall the processor.
    [[gnu::always_inline]] void fetch_some() {
        constexpr int in_line = 64 / sizeof(std::int32_t), at_once = 8 * in_line;
        std::int32_t const last = std::min(ahead_.begin + at_once, ahead_.end);
        for (; ahead_.begin < last; ahead_.begin += in_line) __builtin_prefetch(view_.slots + ahead_.begin);
    }
    void group(ParticleGroup const& g) {
        for (int s = 0; s < g.i.count; ++s) load(g.i, s);
        for (std::int32_t from = g.all.begin, count = 0; from < g.all.end; from += count) {
            count = block_.take(view_, from, g.all.end);
            lanes_.set(view_, from, block_.size);
            block_.load(view_.clusters, i_.base, g.i.uses_minimum_image,
                        lanes_.inside(has_charges ? g.without_lj.begin : g.without_lj.end));
            for (int s = 0; s < g.i.count; ++s) {
                if constexpr (is_code)
                    of_cluster_by_code(s, lanes_.near(view_, g, s));
                else
                    of_cluster(s, lanes_.near(view_, g, s));
            }
            block_.add(view_);
        }
        for (int s = 0; s < g.i.count; ++s) finish(g.i.cluster + s, cluster_size * s);
        if constexpr (is_code) take_energies();
    }

    void load(IClusters const& clusters, int s) {
        IPositions<Real> const at(view_.clusters, clusters, s);
        std::int32_t const cluster = clusters.cluster + s;
        int const first = cluster_size * s;
        for (int axis = 0; axis < 3; ++axis) {
            FourOf<Real>::store(i_.x[axis] + first, at.x[axis]);
            if constexpr (has_forces)
                for (int n = 0; n < cluster_size; ++n) i_.force[axis][first + n] = B(Real(0));
        }
        if constexpr (has_sums)
            for (int n = 0; n < cluster_size; ++n) i_.sum[first + n] = B(Real(0));
        Real const* const parameters =
            view_.clusters.parameters + std::ptrdiff_t{Block::stride} * (cluster_size * cluster);
        unroll<parameter_count>([&](auto m) __attribute__((always_inline)) {
            if constexpr (m % record_size == 0) {
                Four<Real> rows[record_size];
                FourOf<Real>::load_rows(parameters + m, Block::stride, rows);
                for (int n = m; n < parameter_count && n < m + record_size; ++n)
                    FourOf<Real>::store(i_.parameters[n] + first, rows[n - m]);
            }
        });
        i_.order[s] = &SitesFirst<Arch>::order(view_.clusters.without_lj[cluster]);
        i_.base = at.base;
    }

    /// Evaluates the pairs of i cluster `s` with the block.
    void of_cluster(int s, Near const& near) {
        auto const& order = *i_.order[s];
        for (int k = 0; k < cluster_size; k += together) {
            Chosen which;
            for (int n = 0; n < together; ++n) which.of[n] = cluster_size * s + order.number[k + n];
            fetch_some();
            if (has_charges && k >= order.sites)
                add_all<PairKind::without_lj>(which, near);
            else
                add_all<PairKind::plain>(which, near);
        }
    }
    struct Chosen {
        int of[together];
    };
    template <PairKind kind> [[gnu::noinline]] void add_all(Chosen const which, Near const near) {
        Present i = present(which);
        add_masked(i, which, near.masked);
        if constexpr (has_charges) {
            add<kind>(i, near.plain);
            add<PairKind::without_lj>(i, near.without_lj);
        } else
            for (ListRange const lanes : {near.plain, near.without_lj}) add<kind>(i, lanes);
        put_back(which, i);
    }
    template <PairKind kind> [[gnu::always_inline]] void add(Present& i, ListRange lanes) {
        if (lanes.count() <= 0) return;
        Interaction const interaction = interaction_;
        Few *j = block_.few + lanes.begin / width, *const last = block_.few + (lanes.end - 1) / width;
        // The first and the last register may contain particles near the other i cluster only.
        int const begin = lanes.begin % width, end = (lanes.end - 1) % width + 1;
        if (j == last) return add<kind>(i, *j, interaction, only(begin, end));
        add<kind>(i, *j, interaction, only(begin, width));
        while (++j != last) add<kind>(i, *j, interaction, AllLanes{});
        add<kind>(i, *j, interaction, only(0, end));
    }
    [[gnu::always_inline]] static M only(int begin, int end) {
        auto const lanes = lanes_between<Real, Arch>(begin, end);
        return T::each_mask([&](auto) __attribute__((always_inline)) { return lanes; });
    }

    [[gnu::always_inline]] Present present(Chosen const& which) const {
        Present i;
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            i.x[axis] = T::each([&](auto n) __attribute__((always_inline)) { return B(i_.x[axis][which.of[n]]); });
            if constexpr (has_forces)
                i.force[axis] =
                    T::each([&](auto n) __attribute__((always_inline)) { return i_.force[axis][which.of[n]]; });
        });
        if constexpr (has_sums)
            i.sum = T::each([&](auto n) __attribute__((always_inline)) { return i_.sum[which.of[n]]; });
        unroll<parameter_count>([&](auto m) __attribute__((always_inline)) {
            i.parameters.p[m] =
                T::each([&](auto n) __attribute__((always_inline)) { return B(i_.parameters[m][which.of[n]]); });
        });
        i.energy = Energies{};
        return i;
    }
    [[gnu::always_inline]] void put_back(Chosen const& which, Present const& i) {
        unroll<together>([&](auto n) __attribute__((always_inline)) {
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                if constexpr (has_forces) i_.force[axis][which.of[n]] = i.force[axis].parts[n];
            });
            if constexpr (has_sums) i_.sum[which.of[n]] = i.sum.parts[n];
        });
        if constexpr (with_energy)
            for (int lane = 0; lane < width; ++lane) energy_ += static_cast<double>(i.energy[lane]);
    }

    struct Distances {
        T d[3], r2, inverse;
    };
    [[gnu::always_inline]] static Distances distances(Present const& i, Few const& j) {
        Distances result;
        unroll<3>([&](auto axis)
                      __attribute__((always_inline)) { result.d[axis] = T(B::load_aligned(j.x[axis])) - i.x[axis]; });
        auto const& d = result.d;
        result.r2 = multiply_add(d[2], d[2],
                                 multiply_add(d[1], d[1], multiply_add(d[0], d[0], T(least_square<Real>()))));
        result.inverse = inverse_sqrt(result.r2);
        return result;
    }
    template <PairKind kind> [[gnu::always_inline]] static Parameters parameters_of(Few const& j) {
        Parameters result;
        unroll<parameter_count>([&](auto m) __attribute__((always_inline)) {
            if constexpr (kind != PairKind::without_lj || m == 0) result.p[m] = T(B::load_aligned(j.parameters[m]));
        });
        return result;
    }

    /// Evaluates the pairs with a register of j particles, or with those in some of its lanes.
    template <PairKind kind, class Lanes>
    [[gnu::always_inline]] static void add(Present& i, Few& j, Interaction const& interaction, Lanes const& lanes) {
        Distances const at = distances(i, j);
        M near = at.r2 <= T(interaction.cutoff2);
        if constexpr (!std::is_same_v<Lanes, AllLanes>) near = near & lanes;
        add(i, j, at,
            interaction.template evaluate<kind>(at.r2, at.inverse, i.parameters, parameters_of<kind>(j), near, near));
    }
    template <class Result>
    [[gnu::always_inline]] static void add(Present& i, Few& j, Distances const& at, Result const& result) {
        if constexpr (has_forces)
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                B on_j = B::load_aligned(j.got[axis]);
                unroll<together>([&](auto n) __attribute__((always_inline)) {
                    on_j = multiply_add(result.force_over_r.parts[n], at.d[axis].parts[n], on_j);
                });
                on_j.store_aligned(j.got[axis]);
                i.force[axis] = multiply_add(result.force_over_r, at.d[axis], i.force[axis]);
            });
        if constexpr (has_sums) {
            i.sum += result.sum_i;
            Real* const sum = j.got[Block::sum];
            B(B::load_aligned(sum) + result.sum_j.total()).store_aligned(sum);
        }
        if constexpr (with_energy) {
            B const energy = result.energy.total();
            using Register = typename B::register_type;
            using Numbers [[gnu::vector_size(sizeof(Register))]] = Real;
            i.energy += __builtin_convertvector((Numbers)(Register)energy, Energies);
        }
    }

    /// Evaluates the registers where not all pairs interact.
    [[gnu::always_inline]] void add_masked(Present& i, Chosen const& which, ListRange registers) {
        Interaction const interaction = interaction_;
        for (int n = registers.begin; n < registers.end; ++n) {
            Few& j = block_.few[n];
            Distances const at = distances(i, j);
            M const near = (at.r2 <= T(interaction.cutoff2)) & are_nearest(at.d),
                    interacting = T::each_mask([&](auto m) __attribute__((always_inline)) {
                        return lanes_.interacting(n, which.of[m] % cluster_size);
                    }),
                    screened = T::each_mask([&](auto m) __attribute__((always_inline)) {
                        return lanes_.interacting_or_screened(n, which.of[m] % cluster_size);
                    });
            add(i, j, at,
                interaction.template evaluate<PairKind::masked>(at.r2, at.inverse, i.parameters,
                                                                parameters_of<PairKind::masked>(j), near & interacting,
                                                                near & screened));
        }
    }
    /// The lanes where no other image of a pair is nearer.
    [[gnu::always_inline]] M are_nearest(T const (&d)[3]) const {
        M result = T(-view_.half_box[0]) < d[0];
        unroll<2>([&](auto n)
                      __attribute__((always_inline)) { result = result & (T(-view_.half_box[n + 1]) < d[n + 1]); });
        return result;
    }

    /// Evaluates the pairs of i cluster `s` with the block by JIT code. All lanes are enabled for its four particles,
    /// except those masked here, which are enabled again afterwards.
    void of_cluster_by_code(int s, Near const& near) {
        if (near.masked.count() > 0) {
            for (int n = near.masked.begin; n < near.masked.end; ++n) set_masked_lanes(n, s);
            run_code(s, near.masked);
            for (int n = near.masked.begin; n < near.masked.end; ++n) set_lanes(n, 0, width);
        }
        for (ListRange const lanes : {near.plain, near.without_lj}) of_lanes_by_code(s, lanes);
    }
    void of_lanes_by_code(int s, ListRange lanes) {
        if (lanes.count() <= 0) return;
        int const begin = lanes.begin % width, end = (lanes.end - 1) % width + 1;
        ListRange const registers{lanes.begin / width, (lanes.end - 1) / width + 1};
        set_lanes(registers.begin, begin, registers.count() == 1 ? end : width);
        if (registers.count() > 1) set_lanes(registers.end - 1, 0, end);
        run_code(s, registers);
        set_lanes(registers.begin, 0, width);
        set_lanes(registers.end - 1, 0, width);
    }
    [[gnu::always_inline]] void set_lanes(int n, int begin, int end) {
        auto const lanes = lanes_between<Real, Arch>(begin, end);
        for (auto& mask : counting_.of[n]) mask.set(lanes);
    }
    [[gnu::always_inline]] void set_masked_lanes(int n, int s) {
        for (int i = 0; i < cluster_size; i += together) {
            int const first = cluster_size * s + i;
            T d[3];
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                d[axis] = T(B::load_aligned(block_.few[n].x[axis]))
                          - T::each([&](auto m) __attribute__((always_inline)) { return B(i_.x[axis][first + m]); });
            });
            M const nearest = are_nearest(d);
            unroll<together>([&](auto m) __attribute__((always_inline)) {
                counting_.of[n][i + m].set(nearest.parts[m] & lanes_.interacting(n, i + m));
            });
        }
    }
    /// Adds the energies that the JIT code has summed.
    void take_energies() {
        if (!interaction_.energies) return;
        energy_ += static_cast<double>(sum<Real, Arch>(B::load_aligned(interaction_.energies)));
        B(Real(0)).store_aligned(interaction_.energies);
    }
    [[gnu::always_inline]] void run_code(int s, ListRange registers) {
        fetch_some();
        int const first = cluster_size * s;
        interaction_.code(interaction_.frame, block_.few + registers.begin, block_.few + registers.end,
                          counting_.of + registers.begin, i_.x[0] + first, i_.force[0] + first);
    }

    void finish(std::int32_t cluster, int first) {
        std::ptrdiff_t const slot = view_.buffer_index(cluster * cluster_size);
        if constexpr (has_forces) {
            B force[3][L::registers];
            unroll<3>([&](auto axis)
                          __attribute__((always_inline)) { L::as_pairs(i_.force[axis] + first, force[axis]); });
            auto records = L::sums_of_j(force);  // forces on j particles
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) { records.of[k] = -records.of[k]; });
            Real* const forces = view_.forces + record_size * slot;
            L::add(
                records, [&](int n) __attribute__((always_inline)) { return forces + record_size * n; });
        }
        if constexpr (has_sums) {
            B of_pairs[L::registers];
            L::as_pairs(i_.sum + first, of_pairs);
            Four<Real> const sums = L::sums_of_j(of_pairs);
            for (int n = 0; n < cluster_size; ++n) view_.sums[slot + n] += sums[n];
        }
    }

    /// Masks of the enabled lanes of each register for each i particle; empty without JIT code.
    struct CountingLanes {
        StoredMask<Real, Arch> of[is_code ? Block::capacity / width : 1][cluster_size];
    };

    PairView<Real> view_;
    Interaction interaction_;
    double energy_ = 0;
    IParticles i_;
    Block block_;
    BlockLanes lanes_;
    CountingLanes counting_;
    ListRange ahead_{0, 0};  ///< of the next group, still to be prefetched
};

}  // namespace trotter::cpu
