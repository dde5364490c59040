// Pairs of a list by register programs, in SIMD: a block of pairs of clusters at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trotter/cpu/pack_functions.hpp>
#include <trotter/cpu/pair_loop.hpp>
#include <trotter/cpu/table_sweep.hpp>
#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/registers.hpp>
#include <trotter/forces/pair_energies.hpp>
#include <trotter/host/machine_code.hpp>

namespace trotter::cpu {

/// A formula of pairs as a register program: where its arguments come from, and what its outputs add to. Registers are
/// numbers of which -1 is none. Each has room for `lanes` numbers; operands that all clusters of second particles have
/// in common may stand in the first `tile` of them alone.
template <class Real> struct FormulaSweep {
    static constexpr int tile = cluster_size * cluster_size, lanes = 1024 / static_cast<int>(sizeof(Real)),
                         tiles = lanes / tile;

    /// An argument: a parameter of the first or second particle.
    struct Load {
        int register_number, column;
        bool is_second;
    };
    /// An output that a number of the first or second particle gets.
    struct Sum {
        int register_number, plane;
        bool is_second;
    };
    expression::RegisterInstruction const* code;
    int code_size;
    MachineCode::Run const* runs;  ///< of the code, in order
    int run_count;
    Load const* loads;
    int load_count;
    Sum const* sums;
    int sum_count;
    int const* totals;  ///< outputs that are added up over all pairs, the energy first where there are several
    int total_count;
    int distance = -1, inverse = -1, square = -1;  ///< the arguments r (if there is one), 1/r, r²
    int slope = -1, virial = -1;  ///< the output that is the derivative by r, or the one that is r times that
    /// Where pairs are switched off: outputs that become the virial and the totals by that.
    bool is_switched = false;
    int unswitched_virial = -1;
    int const* unswitched_totals;
    Real switch_start, switch_inverse_width;
    int column_count;  ///< parameters of a particle
    Real cutoff2;
    Real* registers;
    int const* last_lanes;   ///< of each register: `lanes` - 1, or `tile` - 1
    Real* rows;              ///< room for 3 + sum_count + total_count tiles: what the i particles get, and totals
    double* results;         ///< what `totals` add to
    TableCall const* calls;  ///< of tabulated functions, as the code numbers them
};

/// Carries out a sweep over the pairs of a task. `Arch` is what it is compiled for.
template <class Real, class Arch> class FormulaSweeps {
    using Sweep = FormulaSweep<Real>;
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    using One = Pack<Real, Arch, 1>;
    static constexpr int tile = Sweep::tile, lanes = Sweep::lanes, tiles = Sweep::tiles;

public:
    static void run(PairView<Real> const& view, Sweep const& sweep) {
        FormulaSweeps sweeps(view, sweep);
        for (int n = 0; n < view.group_count; ++n) sweeps.group(view.groups[n]);
    }

private:
    FormulaSweeps(PairView<Real> const& view, Sweep const& sweep) : view_(view), sweep_(sweep) {}

    /// The first lane of register `k` and part `part` of a tile.
    static constexpr int place(int k, int part) { return k * L::rows * cluster_size + part * L::width; }

    /// Where the first particles of a group are, in registers.
    struct FirstParticles {
        B x[3][L::registers];
        ReferencePoint<Real> base;

        explicit FirstParticles(IPositions<Real> const& at) : base(at.base) {
            for (int axis = 0; axis < 3; ++axis) {
                for (int k = 0; k < L::registers; ++k) x[axis][k] = L::load_i(at.x[axis], k);
            }
        }
    };

    void group(PairGroup const& g) {
        for (int s = 0; s < g.count; ++s) of_cluster(g, s);
    }
    /// The pairs of i cluster `s`.
    void of_cluster(PairGroup const& g, int s) {
        FirstParticles const first(IPositions<Real>(view_.clusters, g, s, view_.box));
        for (int n = 0; n < (3 + sweep_.sum_count + sweep_.total_count) * tile; n += L::width)
            B(Real(0)).store_aligned(sweep_.rows + n);
        load_first(g.cluster + s);
        take<true>(first, view_.masked, g.masked[s]);
        take<false>(first, view_.plain[s], g.plain[s]);
        if (g.count == 2) take<false>(first, view_.plain[near_both], g.plain[near_both]);
        if (count_ > 0) flush();
        finish(g.cluster + s);
    }

    /// Distances of entries of the list, a tile each, and whenever the tiles are full what follows from them.
    template <bool is_masked, class Entry>
    void take(FirstParticles const& first, Entry const* entries, ListRange range) {
        while (range.begin < range.end) {
            int const free = tiles - count_, left = range.end - range.begin, added = left < free ? left : free;
            measure<is_masked>(first, entries + range.begin, added);
            count_ += added, range.begin += added;
            if (count_ == tiles) flush();
        }
    }
    // By value: stores of vectors could change what lies behind a reference, so it would be loaded again and again.
    template <bool is_masked, class Entry>
    void measure(FirstParticles const first, Entry const* const entries, int added) {
        PairView<Real> const view = view_;
        B const cutoff2(sweep_.cutoff2), one(Real(1)), zero(Real(0));
        Real *const square = at(sweep_.square), *const inverse = at(sweep_.inverse),
                    *const distance = sweep_.distance < 0 ? nullptr : at(sweep_.distance);
        for (int n = 0; n < added; ++n) {
            std::int32_t cluster;
            if constexpr (is_masked)
                cluster = entries[n].cluster;
            else
                cluster = entries[n];
            clusters_[count_ + n] = cluster;
            auto const from_base = L::reference_of(view.clusters, cluster, first.base);
            for (int part = 0; part < L::parts; ++part) {
                B x[3];
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    x[axis] = L::coordinates_of_j(view.clusters, cluster, axis, part, from_base);
                });
                unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                    int const lane = (count_ + n) * tile + place(k, part);
                    B d[3];
                    unroll<3>([&](auto axis) __attribute__((always_inline)) { d[axis] = first.x[axis][k] - x[axis]; });
                    B const r2 =
                        multiply_add<Real, Arch>(d[2], d[2], multiply_add<Real, Arch>(d[1], d[1], d[0] * d[0]));
                    auto is_met = r2 <= cutoff2;
                    unroll<3>([&](auto axis) __attribute__((always_inline)) {
                        d[axis].store_aligned(d_[axis] + lane);
                        if constexpr (is_masked) is_met = is_met & (d[axis] < B(view.half_box[axis]));
                    });
                    if constexpr (is_masked) is_met = is_met & L::mask(entries[n].interacting, k, part);
                    xsimd::select(is_met, one, zero).store_aligned(inside_ + lane);
                    B const r2_inside = xsimd::select(is_met, r2, one),
                            inverse_r = inverse_sqrt(One{{r2_inside}}).parts[0];
                    r2_inside.store_aligned(square + lane);
                    inverse_r.store_aligned(inverse + lane);
                    if (distance) (r2_inside * inverse_r).store_aligned(distance + lane);
                });
            }
        }
    }

    Real* at(int register_number) const {
        return sweep_.registers + static_cast<std::ptrdiff_t>(register_number) * lanes;
    }

    Real const* column(std::int32_t cluster, int number) const {
        return view_.clusters.parameters
               + (static_cast<std::ptrdiff_t>(sweep_.column_count) * cluster + number) * cluster_size;
    }
    /// The arguments that are numbers of the first particles.
    void load_first(std::int32_t cluster) const {
        for (int n = 0; n < sweep_.load_count; ++n) {
            auto const& load = sweep_.loads[n];
            if (load.is_second) continue;
            Real const* const from = column(cluster, load.column);
            Real* const to = at(load.register_number);
            for (int k = 0; k < L::registers; ++k) {
                B const numbers = L::load_i(from, k);
                for (int t = 0; t <= sweep_.last_lanes[load.register_number] / tile; ++t)
                    for (int part = 0; part < L::parts; ++part) numbers.store_aligned(to + t * tile + place(k, part));
            }
        }
    }
    /// Those that are numbers of the second ones.
    void load_second() const {
        for (int n = 0; n < sweep_.load_count; ++n) {
            auto const load = sweep_.loads[n];
            if (!load.is_second) continue;
            Real* const to = at(load.register_number);
            Real const* const from = column(0, load.column);
            std::ptrdiff_t const stride = sweep_.column_count * cluster_size;
            for (int t = 0, count = count_; t < count; ++t)
                for (int part = 0; part < L::parts; ++part) {
                    B const numbers = L::load_j(from + stride * clusters_[t], part);
                    for (int k = 0; k < L::registers; ++k) numbers.store_aligned(to + t * tile + place(k, part));
                }
        }
    }

    struct Operand {
        Real const* numbers;
        int last_lane;
    };
    template <expression::Op op> static void apply(Real* result, Operand x, Operand y, Operand z, int count) {
        constexpr int width = static_cast<int>(B::size), together = 2;
        using T = Pack<Real, Arch, together>;
        for (int n = 0; n < count; n += together * width) {
            auto const from = [n](Operand const& operand) __attribute__((always_inline)) {
                return T::each([&](auto k) __attribute__((always_inline)) {
                    return B::load_aligned(operand.numbers + ((n + k * width) & operand.last_lane));
                });
            };
            T const value = expression::apply<op, T>(from(x), from(y), from(z));
            for (int k = 0; k < together; ++k) value.parts[k].store_aligned(result + n + k * width);
        }
    }
    using Function = void (*)(Real*, Operand, Operand, Operand, int);
    struct Functions {
        Function of[expression::operation_count];
    };
    template <int... ops> static constexpr Functions functions(std::integer_sequence<int, ops...>) {
        return {{function<ops>()...}};
    }
    template <int i> static constexpr Function function() {
        if constexpr (expression::applicable(static_cast<expression::Op>(i)))
            return &apply<static_cast<expression::Op>(i)>;
        else
            return nullptr;
    }
    void evaluate() const {
        static constexpr Functions table = functions(std::make_integer_sequence<int, expression::operation_count>{});
        auto const operand = [&](int number) { return Operand{at(number), sweep_.last_lanes[number]}; };
        auto const *run = sweep_.runs, *const last_run = run + sweep_.run_count;
        for (int n = 0; n < sweep_.code_size; ++n) {
            if (run != last_run && run->begin == n) {
                run->function(sweep_.registers, count_ * tile * static_cast<int>(sizeof(Real)));
                n = run->end - 1, ++run;
                continue;
            }
            auto const& [op, result, a, b, c] = sweep_.code[n];
            if (op == expression::Op::custom)
                TableSweep<Real, Arch>::run(sweep_.calls[a], sweep_.registers, lanes, count_ * tile);
            else
                table.of[static_cast<int>(op)](at(result), operand(a), operand(b), operand(c), count_ * tile);
        }
    }

    [[gnu::noinline]] void flush() {
        load_second();
        evaluate();
        if (sweep_.is_switched) switch_off();
        if (sweep_.slope >= 0) add_forces<true>();
        if (sweep_.virial >= 0) add_forces<false>();
        for (int n = 0; n < sweep_.sum_count; ++n) add_sum(sweep_.sums[n], sums_row(n));
        for (int n = 0; n < sweep_.total_count; ++n) add_total(at(sweep_.totals[n]), totals_row(n));
        count_ = 0;
    }
    void switch_off() const {
        auto const from = [](Real const* p) { return One{{B::load_aligned(p)}}; };
        One const start(sweep_.switch_start), inverse_width(sweep_.switch_inverse_width);
        for (int n = 0; n < count_ * tile; n += L::width) {
            One const r = from(at(sweep_.square) + n) * from(at(sweep_.inverse) + n);
            for (int k = 0; k < sweep_.total_count; ++k) {
                One const virial = k == 0 ? -from(at(sweep_.unswitched_virial) + n) : One(Real(0)),
                          energy = from(at(sweep_.unswitched_totals[k]) + n);
                auto const pair = switched<One>({energy, virial}, r, start, inverse_width);
                pair.energy.parts[0].store_aligned(at(sweep_.totals[k]) + n);
                if (k == 0) (-pair.virial).parts[0].store_aligned(at(sweep_.virial) + n);
            }
        }
    }

    /// Numbers of pairs that are in range; 0 of others.
    [[gnu::always_inline]] B of_pairs(Real const* numbers, int lane) const {
        B const zero(Real(0));
        return xsimd::select(B::load_aligned(inside_ + lane) > zero, B::load_aligned(numbers + lane), zero);
    }
    template <bool has_slope> void add_forces() {
        Real const *const numbers = at(has_slope ? sweep_.slope : sweep_.virial), *const inverses = at(sweep_.inverse);
        PairView<Real> const view = view_;
        for (int part = 0; part < L::parts; ++part) {
            B of_i[3][L::registers];
            for (auto& of_axis : of_i)
                for (B& sum : of_axis) sum = B(Real(0));
            for (int t = 0, count = count_; t < count; ++t) {
                B of_j[3] = {B(Real(0)), B(Real(0)), B(Real(0))};
                unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                    int const lane = t * tile + place(k, part);
                    B const inverse = B::load_aligned(inverses + lane),
                            scale = of_pairs(numbers, lane) * (has_slope ? inverse : B(inverse * inverse));
                    unroll<3>([&](auto axis) __attribute__((always_inline)) {
                        B const force = scale * B::load_aligned(d_[axis] + lane);
                        of_i[axis][k] -= force;
                        of_j[axis] += force;
                    });
                });
                Real* const to = view.forces + 3 * cluster_size * view.touched(clusters_[t]);
                L::add_vectors_j(to, part, of_j);
            }
            for (int axis = 0; axis < 3; ++axis)
                for (int k = 0; k < L::registers; ++k) add_to(force_row(axis) + place(k, part), of_i[axis][k]);
        }
    }
    void add_sum(typename Sweep::Sum const& sum, Real* row) {
        Real const* const numbers = at(sum.register_number);
        Real* const to = view_.sums + sum.plane * view_.sum_stride;
        for (int part = 0; part < L::parts; ++part)
            for (int t = 0; t < count_; ++t) {
                B of_j(Real(0));
                for (int k = 0; k < L::registers; ++k) {
                    B const x = of_pairs(numbers, t * tile + place(k, part));
                    if (sum.is_second)
                        of_j += x;
                    else
                        add_to(row + place(k, part), x);
                }
                if (sum.is_second) L::add_j(to + cluster_size * view_.touched(clusters_[t]), part, of_j);
            }
    }
    void add_total(Real const* numbers, Real* row) {
        B total(Real(0));
        for (int lane = 0; lane < count_ * tile; lane += L::width) total += of_pairs(numbers, lane);
        add_to(row, total);
    }
    [[gnu::always_inline]] static void add_to(Real* to, B const& x) { (B::load_aligned(to) + x).store_aligned(to); }

    Real* force_row(int axis) const { return sweep_.rows + axis * tile; }
    Real* sums_row(int n) const { return sweep_.rows + (3 + n) * tile; }
    Real* totals_row(int n) const { return sweep_.rows + (3 + sweep_.sum_count + n) * tile; }

    /// What the i particles get, and the totals.
    void finish(int cluster) {
        auto const add_row = [](Real* to, Real const* row) {
            for (int part = 0; part < L::parts; ++part)
                L::add_i(
                    to, [&](auto k) __attribute__((always_inline)) { return B::load_aligned(row + place(k, part)); });
        };
        for (int axis = 0; axis < 3; ++axis)
            add_row(view_.forces + (3 * view_.touched(cluster) + axis) * cluster_size, force_row(axis));
        for (int n = 0; n < sweep_.sum_count; ++n)
            if (!sweep_.sums[n].is_second)
                add_row(view_.sums + sweep_.sums[n].plane * view_.sum_stride + cluster_size * view_.touched(cluster),
                        sums_row(n));
        for (int n = 0; n < sweep_.total_count; ++n)
            sweep_.results[n] += static_cast<double>(sum<Real, Arch>(B::load_aligned(totals_row(n))));
    }

    PairView<Real> const& view_;
    Sweep const& sweep_;
    alignas(64) Real d_[3][lanes], inside_[lanes];
    std::int32_t clusters_[tiles];
    int count_ = 0;
};

}  // namespace trotter::cpu
