// Pairs of a list by register programs, in SIMD: a block of pairs of clusters at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trotter/cpu/pack_functions.hpp>
#include <trotter/cpu/pair_loop.hpp>
#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/registers.hpp>

namespace trotter::cpu {

/// A formula of pairs as a register program: where its arguments come from, and what its outputs add to. Registers are
/// numbers of which -1 is none; each holds `lanes` numbers.
template <class Real> struct FormulaSweep {
    static constexpr int tile = cluster_size * cluster_size, lanes = 512 / static_cast<int>(sizeof(Real)),
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
    Load const* loads;
    int load_count;
    Sum const* sums;
    int sum_count;
    int const* totals;  ///< outputs that are added up over all pairs
    int total_count;
    int distance, slope;  ///< the argument r, and the output that is the derivative by it
    int column_count;     ///< parameters of a particle
    Real cutoff2;
    Real* registers;
    Real* rows;       ///< room for 3 + sum_count + total_count tiles: what the i particles get
    double* results;  ///< what `totals` add to
    /// Evaluates a custom function, the `call`-th of the program.
    void (*evaluate_call)(void const* context, int call, Real* registers);
    void const* context;
};

/// Carries out a sweep over the pairs of a task. `Arch` is what it is compiled for.
template <class Real, class Arch> class FormulaSweeps {
    using Sweep = FormulaSweep<Real>;
    static constexpr int tile = Sweep::tile, lanes = Sweep::lanes, tiles = Sweep::tiles;

public:
    static void run(PairView<Real> const& view, Sweep const& sweep) {
        FormulaSweeps sweeps(view, sweep);
        for (int n = 0; n < view.group_count; ++n) sweeps.group(view.groups[n]);
    }

private:
    FormulaSweeps(PairView<Real> const& view, Sweep const& sweep) : view_(view), sweep_(sweep) {
        for (int n = 0; n < lanes; ++n) inside_[n] = 0, distance_[n] = 1;
        for (int axis = 0; axis < 3; ++axis)
            for (int n = 0; n < lanes; ++n) d_[axis][n] = 0;
    }

    void group(PairGroup const& g) {
        IPositions<Real> const at(view_.clusters, g, view_.box);
        for (int n = 0; n < (3 + sweep_.sum_count + sweep_.total_count) * tile; ++n) sweep_.rows[n] = 0;
        for (int n = g.masked_begin; n < g.masked_end; ++n)
            add(g, at, view_.masked[n].cluster, view_.masked[n].interacting, true);
        for (int n = g.plain_begin; n < g.plain_end; ++n) add(g, at, view_.plain[n], 0xFFFFu, false);
        if (count_ > 0) flush(g);
        finish(g);
    }

    void add(PairGroup const& g, IPositions<Real> const& at, std::int32_t cluster, std::uint32_t interacting,
             bool is_masked) {
        int const first = count_ * tile;
        Real r2[tile] = {};
        for (int axis = 0; axis < 3; ++axis) {
            Real const* const x = view_.clusters.coordinates + (3 * cluster + axis) * cluster_size;
            Real const shift =
                sizeof(Real) == 4 ? view_.clusters.references[3 * cluster + axis] - at.base[axis] : Real(0);
            for (int n = 0; n < tile; ++n) {
                Real const d = at.x[axis][n / cluster_size] - (x[n % cluster_size] + shift);
                d_[axis][first + n] = d;
                r2[n] += d * d;
            }
        }
        for (int n = 0; n < tile; ++n) {
            bool is_met = r2[n] <= sweep_.cutoff2 && (interacting >> n & 1u) != 0;
            for (int axis = 0; is_masked && axis < 3; ++axis)
                is_met = is_met && d_[axis][first + n] < view_.half_box[axis];
            inside_[first + n] = is_met ? Real(1) : Real(0);
            distance_[first + n] = is_met ? std::sqrt(r2[n]) : Real(1);
        }
        clusters_[count_++] = cluster;
        if (count_ == tiles) flush(g);
    }

    Real* at(int register_number) const { return sweep_.registers + static_cast<std::ptrdiff_t>(register_number) * lanes; }

    void load(PairGroup const& g) const {
        if (sweep_.distance >= 0)
            for (int n = 0; n < lanes; ++n) at(sweep_.distance)[n] = distance_[n];
        for (int k = 0; k < sweep_.load_count; ++k) {
            auto const [number, column, is_second] = sweep_.loads[k];
            Real* const to = at(number);
            auto const from = [&](std::int32_t cluster) {
                return view_.clusters.parameters
                       + (static_cast<std::ptrdiff_t>(sweep_.column_count) * cluster + column) * cluster_size;
            };
            for (int t = 0; t < count_; ++t) {
                Real const* const p = from(is_second ? clusters_[t] : g.cluster);
                if (is_second)
                    for (int n = 0; n < tile; ++n) to[t * tile + n] = p[n % cluster_size];
                else
                    for (int n = 0; n < tile; ++n) to[t * tile + n] = p[n / cluster_size];
            }
        }
    }

    template <expression::Op op> static void apply(Real* result, Real const* x, Real const* y, Real const* z) {
        using B = Batch<Real, Arch>;
        constexpr int width = static_cast<int>(B::size), together = 2;
        using T = Pack<Real, Arch, together>;
        auto const from = [](Real const* p) {
            return T::each([p](auto k) __attribute__((always_inline)) { return B::load_aligned(p + k * width); });
        };
        for (int n = 0; n < lanes; n += together * width) {
            T const value = expression::apply<op, T>(from(x + n), from(y + n), from(z + n));
            for (int k = 0; k < together; ++k) value.parts[k].store_aligned(result + n + k * width);
        }
    }
    using Function = void (*)(Real*, Real const*, Real const*, Real const*);
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
        for (int n = 0; n < sweep_.code_size; ++n) {
            auto const& [op, result, a, b, c] = sweep_.code[n];
            if (op == expression::Op::custom)
                sweep_.evaluate_call(sweep_.context, a, sweep_.registers);
            else
                table.of[static_cast<int>(op)](at(result), at(a), at(b), at(c));
        }
    }

    /// Sums for the i particles, or over all pairs, lane by lane of a tile.
    Real* force_row(int axis) const { return sweep_.rows + axis * tile; }
    Real* sums_row(int k) const { return sweep_.rows + (3 + k) * tile; }
    Real* totals_row(int k) const { return sweep_.rows + (3 + sweep_.sum_count + k) * tile; }

    std::ptrdiff_t touched(std::int32_t cluster) const { return view_.force_start[cluster / granule] + cluster; }

    /// Adds what the j particles of a tile get, summed over the rows.
    static void add_columns(Real* to, Real const* of_tile, Real sign) {
        for (int j = 0; j < cluster_size; ++j) {
            Real sum = 0;
            for (int i = 0; i < cluster_size; ++i) sum += of_tile[cluster_size * i + j];
            to[j] += sign * sum;
        }
    }
    void flush(PairGroup const& g) {
        load(g);
        evaluate();
        for (int t = 0; t < count_; ++t) {
            if (sweep_.slope >= 0) add_forces(t);
            for (int k = 0; k < sweep_.sum_count; ++k) add_sum(t, k);
            for (int k = 0; k < sweep_.total_count; ++k)
                for (int n = 0; n < tile; ++n) totals_row(k)[n] += of_pair(at(sweep_.totals[k]), t, n);
        }
        count_ = 0;
    }
    Real of_pair(Real const* numbers, int t, int n) const {
        return inside_[t * tile + n] != 0 ? numbers[t * tile + n] : Real(0);
    }
    void add_forces(int t) {
        Real const* const slope = at(sweep_.slope);
        alignas(64) Real scale[tile], force[tile];
        for (int n = 0; n < tile; ++n) scale[n] = -of_pair(slope, t, n) / distance_[t * tile + n];
        Real* const to = view_.forces + 3 * cluster_size * touched(clusters_[t]);
        for (int axis = 0; axis < 3; ++axis) {
            for (int n = 0; n < tile; ++n) force[n] = inside_[t * tile + n] != 0 ? scale[n] * d_[axis][t * tile + n] : Real(0);
            for (int n = 0; n < tile; ++n) force_row(axis)[n] += force[n];
            add_columns(to + axis * cluster_size, force, Real(-1));
        }
    }
    void add_sum(int t, int k) {
        auto const& [number, plane, is_second] = sweep_.sums[k];
        alignas(64) Real numbers[tile];
        for (int n = 0; n < tile; ++n) numbers[n] = of_pair(at(number), t, n);
        if (is_second)
            add_columns(view_.sums + plane * view_.sum_stride + cluster_size * touched(clusters_[t]), numbers, Real(1));
        else
            for (int n = 0; n < tile; ++n) sums_row(k)[n] += numbers[n];
    }
    /// What the i particles get.
    void finish(PairGroup const& g) {
        auto const add_rows = [](Real* to, Real const* of_tile) {
            for (int n = 0; n < tile; ++n) to[n / cluster_size] += of_tile[n];
        };
        for (int axis = 0; axis < 3; ++axis)
            add_rows(view_.forces + (3 * touched(g.cluster) + axis) * cluster_size, force_row(axis));
        for (int k = 0; k < sweep_.sum_count; ++k)
            if (!sweep_.sums[k].is_second)
                add_rows(view_.sums + sweep_.sums[k].plane * view_.sum_stride + cluster_size * touched(g.cluster),
                         sums_row(k));
        for (int k = 0; k < sweep_.total_count; ++k)
            for (int n = 0; n < tile; ++n) sweep_.results[k] += static_cast<double>(totals_row(k)[n]);
    }

    PairView<Real> const& view_;
    Sweep const& sweep_;
    alignas(64) Real d_[3][lanes], inside_[lanes], distance_[lanes];
    std::int32_t clusters_[tiles];
    int count_ = 0;
};

}  // namespace trotter::cpu
