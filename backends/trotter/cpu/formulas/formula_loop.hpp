// The SIMD loop that evaluates register programs for the pairs of a list, a block of cluster pairs at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trotter/cpu/formulas/pair_kernel_view.hpp>
#include <trotter/cpu/formulas/table_evaluation.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/pair_loops/layout.hpp>
#include <trotter/cpu/pair_loops/pair_slots.hpp>
#include <trotter/cpu/simd/pack_functions.hpp>
#include <trotter/expression/evaluate.hpp>
#include <trotter/parts/least_distance.hpp>

namespace trotter::cpu {

/// A pass over the pairs of a task, compiled for `Arch`.
template <class Real, class Arch> class FormulaLoop {
    using KernelView = PairKernelView<Real>;
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    using One = Pack<Real, Arch, 1>;
    static constexpr int tile = KernelView::tile, lanes = KernelView::lanes, tiles = KernelView::tiles;

public:
    static void run(PairView<Real> const& view, KernelView const& kernel) {
        FormulaLoop loop(view, kernel);
        for (int n = 0; n < view.group_count; ++n) loop.group(view.groups[n]);
    }

private:
    FormulaLoop(PairView<Real> const& view, KernelView const& kernel) : view_(view), kernel_(kernel) {}

    /// Positions of a group's first particles, in registers.
    struct FirstParticles {
        B x[3][L::parts];
        Steps base;

        explicit FirstParticles(IPositions<Real> const& at) : base(at.base) {
            for (int axis = 0; axis < 3; ++axis)
                for (int part = 0; part < L::parts; ++part) x[axis][part] = L::repeat(at.x[axis], part);
        }
    };

    void group(ParticleGroup const& g) {
        for (int s = 0; s < g.i.count; ++s) of_cluster(g, s);
    }
    /// Evaluates the pairs of i cluster `s`.
    void of_cluster(ParticleGroup const& g, int s) {
        FirstParticles const first(IPositions<Real>(view_.clusters, g.i, s));
        for (int n = 0; n < (3 + kernel_.sum_count + kernel_.total_count) * tile; n += L::width)
            B(Real(0)).store_aligned(kernel_.rows + n);
        load_first(g.i.cluster + s);
        take<true>(first, view_.masked + g.i.masked[s].begin, g.i.masked[s].count());
        for (ListRange const range : {g.plain[s], g.without_lj})
            take<false>(first, view_.slots + range.begin, range.count());
        if (count_ > 0) flush();
        finish(g.i.cluster + s);
    }

    /// Computes distances to second particles, four to a tile, and evaluates the program whenever the tiles are full.
    /// Entries are masked pairs, clusters, or slots, four of them for a tile.
    template <bool is_masked, class Entry> void take(FirstParticles const& first, Entry const* entries, int left) {
        int const in_tile = is_masked || view_.lists_clusters ? 1 : 4;
        while (left > 0) {
            int const free = (tiles - count_) * in_tile, added = left < free ? left : free;
            measure<is_masked>(first, entries, added);
            count_ += (added + in_tile - 1) / in_tile, left -= added, entries += added;
            if (count_ == tiles) flush();
        }
    }
    // By value: vector stores may alias references, which would be loaded again and again.
    template <bool is_masked, class Entry>
    void measure(FirstParticles const first, Entry const* const entries, int added) {
        PairView<Real> const view = view_;
        B const cutoff2(kernel_.cutoff2), one(Real(1)), zero(Real(0));
        Real *const square = at(kernel_.square), *const inverse = at(kernel_.inverse),
                    *const distance = kernel_.distance < 0 ? nullptr : at(kernel_.distance);
        int const added_tiles = is_masked || view.lists_clusters ? added : (added + 3) / 4;
        for (int n = 0; n < added_tiles; ++n) {
            FourSlots& slots = slots_[count_ + n];
            if constexpr (is_masked)
                slots = FourSlots::of_cluster(entries[n].cluster);
            else if (view.lists_clusters)
                slots = FourSlots::of_cluster(entries[n]);
            else
                for (int j = 0; j < 4; ++j) slots.of[j] = 4 * n + j < added ? entries[4 * n + j] : view.padding_slot;
            auto const at = positions(view.clusters, ListedSlots<Real, Arch>(slots.of), first.base);
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                int const lane = (count_ + n) * tile + k * L::width;
                B d[3];
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    d[axis] = first.x[axis][k % L::parts] - L::template number<axis>(at, k);
                });
                B const least(least_square<Real>());
                B const r2 = multiply_add<Real, Arch>(
                    d[2], d[2], multiply_add<Real, Arch>(d[1], d[1], multiply_add<Real, Arch>(d[0], d[0], least)));
                auto is_met = r2 <= cutoff2;
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    d[axis].store_aligned(d_[axis] + lane);
                    if constexpr (is_masked) is_met = is_met & (d[axis] < B(view.half_box[axis]));
                });
                if constexpr (is_masked) is_met = is_met & L::mask(entries[n].interaction_mask, k);
                xsimd::select(is_met, one, zero).store_aligned(inside_ + lane);
                B const r2_inside = xsimd::select(is_met, r2, one), inverse_r = inverse_sqrt(One{{r2_inside}}).parts[0];
                r2_inside.store_aligned(square + lane);
                inverse_r.store_aligned(inverse + lane);
                if (distance) (r2_inside * inverse_r).store_aligned(distance + lane);
            });
        }
    }

    Real* at(int register_number) const {
        return kernel_.registers + static_cast<std::ptrdiff_t>(register_number) * lanes;
    }

    Real parameter(std::int32_t slot, int column) const {
        return view_.clusters.parameters[std::ptrdiff_t{parameter_stride(kernel_.column_count)} * slot + column];
    }
    /// Loads the arguments that are parameters of the first particles.
    void load_first(std::int32_t cluster) const {
        for (int k = 0; k < kernel_.load_count; ++k) {
            auto const& load = kernel_.loads[k];
            if (load.is_second) continue;
            Real* const to = at(load.register_number);
            Four<Real> numbers;
            for (int n = 0; n < 4; ++n) numbers[n] = parameter(cluster * cluster_size + n, load.column);
            for (int lane = 0; lane <= kernel_.last_lanes[load.register_number]; lane += 4)
                FourOf<Real>::store(to + lane, numbers);
        }
    }
    /// Loads those of the second particles.
    void load_second() const {
        for (int n = 0; n < kernel_.load_count; ++n) {
            auto const load = kernel_.loads[n];
            if (!load.is_second) continue;
            Real* const to = at(load.register_number);
            std::ptrdiff_t const stride = parameter_stride(kernel_.column_count);
            Real const* const from = view_.clusters.parameters + load.column;
            for (int t = 0, count = count_; t < count; ++t)
                for (int j = 0; j < 4; ++j)
                    FourOf<Real>::store(to + t * tile + 4 * j, from[stride * slots_[t].of[j]] - Four<Real>{});
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
        auto const operand = [&](int number) { return Operand{at(number), kernel_.last_lanes[number]}; };
        auto const *run = kernel_.runs, *const last_run = run + kernel_.run_count;
        for (int n = 0; n < kernel_.code_size; ++n) {
            if (run != last_run && run->begin == n) {
                run->function(kernel_.registers, count_ * tile * static_cast<int>(sizeof(Real)));
                n = run->end - 1, ++run;
                continue;
            }
            auto const& [op, result, a, b, c] = kernel_.code[n];
            if (op == expression::Op::custom)
                TableEvaluation<Real, Arch>::run(kernel_.calls[a], kernel_.registers, lanes, count_ * tile);
            else
                table.of[static_cast<int>(op)](at(result), operand(a), operand(b), operand(c), count_ * tile);
        }
    }

    [[gnu::noinline]] void flush() {
        load_second();
        evaluate();
        if (kernel_.slope >= 0) add_forces<true>();
        if (kernel_.virial >= 0) add_forces<false>();
        for (int n = 0; n < kernel_.sum_count; ++n) add_sum(kernel_.sums[n], sums_row(n));
        for (int n = 0; n < kernel_.total_count; ++n) add_total(at(kernel_.totals[n]), totals_row(n));
        count_ = 0;
    }

    /// Values of pairs in range; 0 for others.
    [[gnu::always_inline]] B of_pairs(Real const* numbers, int lane) const {
        B const zero(Real(0));
        return xsimd::select(B::load_aligned(inside_ + lane) > zero, B::load_aligned(numbers + lane), zero);
    }
    template <bool has_slope> void add_forces() {
        Real const *const numbers = at(has_slope ? kernel_.slope : kernel_.virial), *const inverses =
                                                                                        at(kernel_.inverse);
        PairView<Real> const view = view_;
        B of_i[3][L::registers];
        for (auto& of_axis : of_i)
            for (B& sum : of_axis) sum = B(Real(0));
        for (int t = 0, count = count_; t < count; ++t) {
            B of_j[3][L::registers];
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                int const lane = t * tile + k * L::width;
                B const inverse = B::load_aligned(inverses + lane),
                        scale = of_pairs(numbers, lane) * (has_slope ? inverse : B(inverse * inverse));
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    of_j[axis][k] = scale * B::load_aligned(d_[axis] + lane);
                    of_i[axis][k] -= of_j[axis][k];
                });
            });
            L::add(
                L::sums_of_j(of_j), [&](int j) __attribute__((always_inline)) {
                    return view.forces + record_size * view.buffer_index(slots_[t].of[j]);
                });
        }
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < L::registers; ++k) add_to(force_row(axis) + k * L::width, of_i[axis][k]);
    }
    void add_sum(typename KernelView::Sum const& sum, Real* row) {
        Real const* const numbers = at(sum.register_number);
        Real* const to = view_.sums + sum.plane * view_.sum_stride;
        for (int t = 0; t < count_; ++t) {
            B of_j[L::registers];
            for (int k = 0; k < L::registers; ++k) {
                of_j[k] = of_pairs(numbers, t * tile + k * L::width);
                if (!sum.is_second) add_to(row + k * L::width, of_j[k]);
            }
            if (!sum.is_second) continue;
            Four<Real> const sums = L::sums_of_j(of_j);
            for (int j = 0; j < 4; ++j) to[view_.buffer_index(slots_[t].of[j])] += sums[j];
        }
    }
    void add_total(Real const* numbers, Real* row) {
        B total(Real(0));
        for (int lane = 0; lane < count_ * tile; lane += L::width) total += of_pairs(numbers, lane);
        add_to(row, total);
    }
    [[gnu::always_inline]] static void add_to(Real* to, B const& x) { (B::load_aligned(to) + x).store_aligned(to); }

    Real* force_row(int axis) const { return kernel_.rows + axis * tile; }
    Real* sums_row(int n) const { return kernel_.rows + (3 + n) * tile; }
    Real* totals_row(int n) const { return kernel_.rows + (3 + kernel_.sum_count + n) * tile; }

    /// Adds the forces and sums of the i particles, and the totals.
    void finish(int cluster) {
        auto const of_i = [](Real const* row) {
            Four<Real> sum{};
            for (int lane = 0; lane < tile; lane += 4) sum += FourOf<Real>::load(row + lane);
            return sum;
        };
        std::ptrdiff_t const slot = view_.buffer_index(cluster * cluster_size);
        Four<Real> forces[4] = {of_i(force_row(0)), of_i(force_row(1)), of_i(force_row(2)), {}};
        FourOf<Real>::transpose(forces);
        for (int n = 0; n < cluster_size; ++n) FourOf<Real>::add(view_.forces + record_size * (slot + n), forces[n]);
        for (int n = 0; n < kernel_.sum_count; ++n)
            if (!kernel_.sums[n].is_second)
                FourOf<Real>::add(view_.sums + kernel_.sums[n].plane * view_.sum_stride + slot, of_i(sums_row(n)));
        for (int n = 0; n < kernel_.total_count; ++n)
            kernel_.results[n] += static_cast<double>(sum<Real, Arch>(B::load_aligned(totals_row(n))));
    }

    PairView<Real> const& view_;
    KernelView const& kernel_;
    alignas(64) Real d_[3][lanes], inside_[lanes];
    FourSlots slots_[tiles];
    int count_ = 0;
};

}  // namespace trotter::cpu
