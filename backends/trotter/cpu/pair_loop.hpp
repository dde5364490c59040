// The inner loop over the pairs of a list, for any interaction of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>

#include <trotter/cpu/pair_block.hpp>
#include <trotter/host/pair_code.hpp>

namespace trotter::cpu {

/// What a loop knows of the pairs that it is over: some do not interact; all do; all do, and of each pair one particle
/// has no Lennard-Jones site.
enum class PairKind { masked, plain, bare };

/// The parameters of particles, one in each lane.
template <class T, int count = 3> struct PairParameters { T p[count > 0 ? count : 1]; };

/// Carries out `Interaction` for all pairs of a task, adds forces and sums to the task's buffers and returns the
/// energy: one i particle after the other, with all of its j particles in lanes.
///
/// An Interaction has a `parameter_count`, and `evaluate<kind>(r2, 1/r, i, j, interacting, screened)`, whose result has
/// `force_over_r` (where it `has_forces`), `energy` (`with_energy`), and what the pair adds to a number that each
/// particle has, `sum_i` and `sum_j` (`has_sums`). Where it `has_charges`, the first parameter is the charge that
/// stands beside coordinates, and of bare pairs nothing else is known.
///
/// Or it has `code`, a PairCode's function, which takes the place of `evaluate` and of the loop around it, and a
/// `frame` for that.
template <class Real, class Arch, class Interaction> class PairLoop {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    static constexpr bool has_forces = Interaction::has_forces, has_sums = Interaction::has_sums,
                          with_energy = Interaction::with_energy, has_charges = Interaction::has_charges,
                          is_code = requires(Interaction const&interaction) {
        interaction.code;
    };
    static constexpr int parameter_count = Interaction::parameter_count, width = L::width,
                         most = 2 * cluster_size;  ///< i particles of a group
    using Block = PairBlock<Real, Arch, parameter_count, has_charges, has_forces, has_sums>;
    using Few = typename Block::Few;
    static constexpr int cluster_lanes = 64 / sizeof(Word<Real>);  ///< no less than a cluster takes, and aligned
    /// How many i particles are worked on together, where there are registers enough: what j particles have is loaded,
    /// and what they get is stored, once for them.
    static constexpr int together = has_avx512<Arch> ? 2 : 1;
    using T = Pack<Real, Arch, together>;
    using M = typename T::M;
    using Parameters = PairParameters<T, parameter_count>;
    /// Charges of one sign may follow each other: sums of their energies are large before they cancel.
    using Energy = std::conditional_t<has_charges, double, Real>;
    using Energies [[gnu::vector_size(width * sizeof(Energy))]] = Energy;

public:
    static PairCodeLayout code_layout() {
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
            if (n + 1 < view.group_count) loop.fetch(view.groups[n + 1]);
            loop.group(view.groups[n]);
        }
        return loop.energy_;
    }

private:
    /// The particles of a cluster, those without a Lennard-Jones site behind the others.
    struct SitesFirst {
        int number[cluster_size], sites;
    };
    /// The particles of one i cluster, or of two, and in which order loops take those of each.
    struct IParticles {
        Real x[3][most], parameters[parameter_count > 0 ? parameter_count : 1][most];
        B force[3][most], sum[most];
        SitesFirst const* order[2];
        Steps base;
    };
    /// Those that are worked on together, in registers.
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

    /// A list is read once in each step, from far, and too little of it at a time for the processor to notice.
    [[gnu::always_inline]] void fetch(ParticleGroup const& g) const {
        constexpr int in_line = 64 / sizeof(std::int32_t);
        for (std::int32_t n = g.all.begin; n < g.all.end; n += in_line) __builtin_prefetch(view_.places + n);
    }
    void group(ParticleGroup const& g) {
        for (int s = 0; s < g.i.count; ++s) load(g.i, s);
        for (std::int32_t from = g.all.begin, count = 0; from < g.all.end; from += count) {
            count = block_.take(view_, from, g.all.end);
            block_.load(view_.clusters, i_.base, inside(from, g.bare.begin));
            for (int s = 0; s < g.i.count; ++s) {
                if constexpr (is_code)
                    of_cluster_by_code(s, lanes(g, s, from));
                else
                    of_cluster(s, lanes(g, s, from));
            }
            block_.add(view_);
        }
        for (int s = 0; s < g.i.count; ++s) finish(g.i.cluster + s, cluster_size * s);
        if constexpr (is_code) take_energies();
    }

    /// What of the block is near an i cluster: registers in which there are masked pairs, and the lanes of the others.
    struct Lanes {
        ListRange masked, plain, bare;
    };
    Lanes lanes(ParticleGroup const& g, int s, std::int32_t from) {
        auto const range = [&](ListRange entries) {
            return ListRange{inside(from, entries.begin), inside(from, entries.end)};
        };
        Lanes result{{0, 0}, range(g.plain[s]), range(g.bare)};
        int const first = lane(from, g.masked_begin[s]), last = first + cluster_size * g.i.masked[s].count(),
                  begin = first < 0 ? 0 : first, end = last > block_.size ? block_.size : last;
        if (begin >= end) return result;
        result.masked = {begin / width, (end + width - 1) / width};
        ListRange const wide{result.masked.begin * width, result.masked.end * width};
        for (int n = wide.begin; n < wide.end; ++n)
            met(n)[0] = n >= result.plain.begin && n < result.plain.end ? 0xFF : 0;
        MaskedPair const* const pairs = view_.masked + g.i.masked[s].begin;
        for (int k = (begin - first) / cluster_size; first + cluster_size * k < end; ++k)
            set_met(first + cluster_size * k, pairs[k]);
        result.plain = without(result.plain, wide);
        return result;
    }
    /// From lane `n` on, which may be a little before the first or behind the last.
    [[gnu::always_inline]] void set_met(int n, MaskedPair const& pair) {
        using Words [[gnu::vector_size(cluster_size * sizeof(Word<Real>))]] = Word<Real>;
        constexpr Steps of_j = {0, 4, 8, 12};
        Steps const interacting = Steps{} + pair.interacting, screened = Steps{} + pair.screened;
        Words const words =
            __builtin_convertvector((interacting >> of_j & 0xFu) | (screened >> of_j & 0xFu) << 4, Words);
        std::memcpy(met(n), &words, sizeof words);
    }
    Word<Real>* met(int n) { return met_ + cluster_lanes + n; }
    Word<Real> const* met(int n) const { return met_ + cluster_lanes + n; }
    /// What is left of a range without its beginning or its end.
    static ListRange without(ListRange range, ListRange part) {
        if (part.begin <= range.begin)
            range.begin = range.begin > part.end ? range.begin : part.end;
        else
            range.end = range.end < part.begin ? range.end : part.begin;
        return {range.begin, range.end < range.begin ? range.begin : range.end};
    }
    int lane(std::int32_t from, std::int32_t entry) const {
        return (view_.lists_clusters ? cluster_size : 1) * (entry - from);
    }
    /// The same where it is in the block, else its nearer end.
    int inside(std::int32_t from, std::int32_t entry) const {
        int const n = lane(from, entry);
        return n < 0 ? 0 : n > block_.size ? block_.size : n;
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
        unsigned const bare = view_.clusters.bare[cluster];
        i_.order[s] = sites_first.of + ((bare | bare >> 3 | bare >> 6 | bare >> 9) & 0xFu);
        i_.base = at.base;
    }
    /// For each combination of those that are bare.
    struct AllOrders {
        SitesFirst of[1 << cluster_size];
        constexpr AllOrders() : of{} {
            for (unsigned bare = 0; bare < 1u << cluster_size; ++bare) {
                int next = 0;
                for (unsigned const is_bare : {0u, 1u}) {
                    for (int n = 0; n < cluster_size; ++n)
                        if ((bare >> n & 1u) == is_bare) of[bare].number[next++] = n;
                    if (is_bare == 0) of[bare].sites = next;
                }
            }
        }
    };
    static constexpr AllOrders sites_first{};

    /// The pairs of i cluster `s` with the particles of the block.
    void of_cluster(int s, Lanes const& lanes) {
        SitesFirst const& order = *i_.order[s];
        for (int k = 0; k < cluster_size; k += together) {
            Chosen which;
            for (int n = 0; n < together; ++n) which.of[n] = cluster_size * s + order.number[k + n];
            if (has_charges && k >= order.sites)
                add_all<PairKind::bare>(which, lanes);
            else
                add_all<PairKind::plain>(which, lanes);
        }
    }
    struct Chosen {
        int of[together];
    };
    template <PairKind kind> [[gnu::noinline]] void add_all(Chosen const which, Lanes const lanes) {
        Present i = present(which);
        add_masked(i, which, lanes.masked);
        add<kind>(i, lanes.plain);
        if constexpr (has_charges) add<PairKind::bare>(i, lanes.bare);
        put_back(which, i);
    }
    template <PairKind kind> [[gnu::always_inline]] void add(Present& i, ListRange lanes) {
        if (lanes.count() <= 0) return;
        Interaction const interaction = interaction_;
        Few *j = block_.few + lanes.begin / width, *const last = block_.few + (lanes.end - 1) / width;
        // In the first and the last register there may be particles that only the other i cluster is near.
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
        result.r2 = multiply_add(d[2], d[2], multiply_add(d[1], d[1], d[0] * d[0]));
        result.inverse = inverse_sqrt(result.r2);
        return result;
    }
    template <PairKind kind> [[gnu::always_inline]] static Parameters parameters_of(Few const& j) {
        Parameters result;
        unroll<parameter_count>([&](auto m) __attribute__((always_inline)) {
            if constexpr (kind != PairKind::bare || m == 0) result.p[m] = T(B::load_aligned(j.parameters[m]));
        });
        return result;
    }

    /// The pairs with a register of j particles, or with those in some of its lanes.
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

    /// What stands in registers where not all pairs interact.
    [[gnu::always_inline]] void add_masked(Present& i, Chosen const& which, ListRange registers) {
        Interaction const interaction = interaction_;
        for (int n = registers.begin; n < registers.end; ++n) {
            Few& j = block_.few[n];
            Distances const at = distances(i, j);
            M const near = (at.r2 <= T(interaction.cutoff2)) & are_nearest(at.d);
            add(i, j, at,
                interaction.template evaluate<PairKind::masked>(
                    at.r2, at.inverse, i.parameters, parameters_of<PairKind::masked>(j), near & met(n, which, 0x01),
                    near & met(n, which, 0x11)));
        }
    }
    /// Where no other image of a pair is nearer.
    [[gnu::always_inline]] M are_nearest(T const (&d)[3]) const {
        M result = T(-view_.half_box[0]) < d[0];
        unroll<2>([&](auto n)
                      __attribute__((always_inline)) { result = result & (T(-view_.half_box[n + 1]) < d[n + 1]); });
        return result;
    }
    /// With which lanes of register `n` i particles interact, as `bits` of `met_` say.
    [[gnu::always_inline]] M met(int n, Chosen const& which, Word<Real> bits) const {
        return T::each_mask([&](auto m) __attribute__((always_inline)) {
            return lanes_with<Real, Arch>(met(n * width), bits << which.of[m] % cluster_size);
        });
    }

    void of_cluster_by_code(int s, Lanes const& lanes) {
        if (ListRange const registers = lanes.masked; registers.count() > 0) {
            for (int n = registers.begin; n < registers.end; ++n) set_masked_lanes(n, s);
            run_code(s, registers);
            for (int n = registers.begin; n < registers.end; ++n) set_lanes(n, 0, width);
        }
        if (lanes.plain.count() <= 0) return;
        int const begin = lanes.plain.begin % width, end = (lanes.plain.end - 1) % width + 1;
        ListRange const registers{lanes.plain.begin / width, (lanes.plain.end - 1) / width + 1};
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
        for (int first = 0; first < cluster_size; first += together) {
            Chosen which;
            for (int m = 0; m < together; ++m) which.of[m] = cluster_size * s + first + m;
            T d[3];
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                d[axis] = T(B::load_aligned(block_.few[n].x[axis]))
                          - T::each([&](auto m) __attribute__((always_inline)) { return B(i_.x[axis][which.of[m]]); });
            });
            M const lanes = are_nearest(d) & met(n, which, 0x01);
            for (int m = 0; m < together; ++m) counting_.of[n][first + m].set(lanes.parts[m]);
        }
    }
    /// What code has added up so far.
    void take_energies() {
        if (!interaction_.energies) return;
        energy_ += static_cast<double>(sum<Real, Arch>(B::load_aligned(interaction_.energies)));
        B(Real(0)).store_aligned(interaction_.energies);
    }
    [[gnu::always_inline]] void run_code(int s, ListRange registers) {
        int const first = cluster_size * s;
        interaction_.code(interaction_.frame, block_.few + registers.begin, block_.few + registers.end,
                          counting_.of + registers.begin, i_.x[0] + first, i_.force[0] + first);
    }

    void finish(std::int32_t cluster, int first) {
        std::ptrdiff_t const place = view_.touched(cluster * cluster_size);
        if constexpr (has_forces) {
            B force[3][L::registers];
            unroll<3>([&](auto axis)
                          __attribute__((always_inline)) { L::as_pairs(i_.force[axis] + first, force[axis]); });
            auto records = L::sums_of_j(force);  // what j particles got
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) { records.of[k] = -records.of[k]; });
            Real* const forces = view_.forces + record_size * place;
            L::add(
                records, [&](int n) __attribute__((always_inline)) { return forces + record_size * n; });
        }
        if constexpr (has_sums) {
            B of_pairs[L::registers];
            L::as_pairs(i_.sum + first, of_pairs);
            Four<Real> const sums = L::sums_of_j(of_pairs);
            for (int n = 0; n < cluster_size; ++n) view_.sums[place + n] += sums[n];
        }
    }

    /// Which lanes of each register count for each i particle; none is kept where there is no code that reads it.
    struct CountingLanes {
        StoredMask<Real, Arch> of[is_code ? Block::capacity / width : 1][cluster_size];
    };

    PairView<Real> view_;
    Interaction interaction_;
    double energy_ = 0;
    IParticles i_;
    Block block_;
    /// In registers with masked pairs: with which particles of the i cluster that of a lane interacts, a bit for each,
    /// and then from which it is only screened.
    alignas(64) Word<Real> met_[cluster_lanes + Block::capacity + cluster_lanes];
    CountingLanes counting_;
};

}  // namespace trotter::cpu
