// Pairs of a list by register programs, in SIMD: a block of pairs of clusters at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trotter/cpu/pack_functions.hpp>
#include <trotter/cpu/pair_loop.hpp>
#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/registers.hpp>
#include <trotter/forces/pair_energies.hpp>

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
    int const* totals;  ///< outputs that are added up over all pairs, the energy first where there are several
    int total_count;
    int distance = -1, inverse = -1, square = -1;  ///< the arguments r, 1/r, r²
    int slope = -1, virial = -1;  ///< the output that is the derivative by r, or the one that is r times that
    /// Where pairs are switched off: outputs that become the virial and the totals by that.
    bool is_switched = false;
    int unswitched_virial = -1;
    int const* unswitched_totals;
    Real switch_start, switch_inverse_width;
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
    FormulaSweeps(PairView<Real> const& view, Sweep const& sweep) : view_(view), sweep_(sweep) {
        for (int n = 0; n < lanes; ++n) inside_[n] = 0, square_[n] = inverse_[n] = 1;
        for (int axis = 0; axis < 3; ++axis)
            for (int n = 0; n < lanes; ++n) d_[axis][n] = 0;
    }

    /// The lanes of a tile as registers; `visit(k, part, first)` has the place of the first of them.
    template <class Visit> [[gnu::always_inline]] static void for_registers(Visit const& visit) {
        for (int part = 0; part < L::parts; ++part)
            for (int k = 0; k < L::registers; ++k) visit(k, part, k * L::rows * cluster_size + part * L::width);
    }

    /// Where the first particles of a group are, in registers.
    struct FirstParticles {
        B x[3][L::registers], base[3];

        explicit FirstParticles(IPositions<Real> const& at) {
            for (int axis = 0; axis < 3; ++axis) {
                base[axis] = B(at.base[axis]);
                for (int k = 0; k < L::registers; ++k) x[axis][k] = L::load_i(at.x[axis], k);
            }
        }
    };

    void group(PairGroup const& g) {
        FirstParticles const first(IPositions<Real>(view_.clusters, g, view_.box));
        for (int n = 0; n < (3 + sweep_.sum_count + sweep_.total_count) * tile; ++n) sweep_.rows[n] = 0;
        load_first(g.cluster);
        for (int n = g.masked_begin; n < g.masked_end; ++n)
            add<true>(first, view_.masked[n].cluster, view_.masked[n].interacting);
        for (int n = g.plain_begin; n < g.plain_end; ++n) add<false>(first, view_.plain[n], 0xFFFFu);
        if (count_ > 0) flush();
        finish(g);
    }

    template <bool is_masked>
    [[gnu::always_inline]] void add(FirstParticles const& i, std::int32_t cluster, std::uint32_t interacting) {
        int const first_of_tile = count_ * tile;
        B const cutoff2(sweep_.cutoff2), one(Real(1)), zero(Real(0));
        Real const* const coordinates = view_.clusters.coordinates + 3 * cluster * cluster_size;
        Real const* const references = view_.clusters.references + 3 * cluster;
        for_registers([&](int k, int part, int place) __attribute__((always_inline)) {
            int const first = first_of_tile + place;
            B r2 = zero;
            Mask<Real, Arch> is_met = r2 <= cutoff2;
            for (int axis = 0; axis < 3; ++axis) {
                B x = L::load_j(coordinates + axis * cluster_size, part);
                if constexpr (sizeof(Real) == 4) x += B(references[axis]) - i.base[axis];
                B const d = i.x[axis][k] - x;
                d.store_aligned(d_[axis] + first);
                r2 = multiply_add<Real, Arch>(d, d, r2);
                if constexpr (is_masked) is_met = is_met & (d < B(view_.half_box[axis]));
            }
            is_met = is_met & (r2 <= cutoff2);
            if constexpr (is_masked) is_met = is_met & L::mask(interacting, k, part);
            xsimd::select(is_met, one, zero).store_aligned(inside_ + first);
            B const square = xsimd::select(is_met, r2, one);
            square.store_aligned(square_ + first);
            inverse_sqrt(One{{square}}).parts[0].store_aligned(inverse_ + first);
        });
        clusters_[count_++] = cluster;
        if (count_ == tiles) flush();
    }

    Real* at(int register_number) const {
        return sweep_.registers + static_cast<std::ptrdiff_t>(register_number) * lanes;
    }

    Real const* column(std::int32_t cluster, int number) const {
        return view_.clusters.parameters + (static_cast<std::ptrdiff_t>(sweep_.column_count) * cluster + number) * cluster_size;
    }
    /// The arguments that are numbers of the first particles, which all tiles have in common.
    void load_first(std::int32_t cluster) const {
        for (int n = 0; n < sweep_.load_count; ++n) {
            auto const& load = sweep_.loads[n];
            if (load.is_second) continue;
            Real const* const from = column(cluster, load.column);
            for_registers([&](int k, int, int first) __attribute__((always_inline)) {
                B const numbers = L::load_i(from, k);
                for (int t = 0; t < tiles; ++t) numbers.store_aligned(at(load.register_number) + t * tile + first);
            });
        }
    }
    /// Those that are numbers of the second ones.
    void load_second() const {
        for (int n = 0; n < sweep_.load_count; ++n) {
            auto const& load = sweep_.loads[n];
            if (!load.is_second) continue;
            Real* const to = at(load.register_number);
            for (int t = 0; t < count_; ++t) {
                Real const* const from = column(clusters_[t], load.column);
                for_registers([&](int, int part, int first) __attribute__((always_inline)) {
                    L::load_j(from, part).store_aligned(to + t * tile + first);
                });
            }
        }
    }

    template <expression::Op op> static void apply(Real* result, Real const* x, Real const* y, Real const* z) {
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

    void flush() {
        load_second();
        give_distances();
        evaluate();
        if (sweep_.is_switched) switch_off();
        for (int t = 0; t < count_; ++t) {
            if (sweep_.slope >= 0 || sweep_.virial >= 0) add_forces(t);
            for (int k = 0; k < sweep_.sum_count; ++k) add_sum(t, sweep_.sums[k], sums_row(k));
            for (int k = 0; k < sweep_.total_count; ++k)
                for (int n = 0; n < tile; n += L::width)
                    add_to(totals_row(k) + n, of_pairs(at(sweep_.totals[k]), t, n));
        }
        count_ = 0;
    }
    void give_distances() const {
        for (int n = 0; n < lanes; n += L::width) {
            B const square = B::load_aligned(square_ + n), inverse = B::load_aligned(inverse_ + n);
            if (sweep_.distance >= 0) (square * inverse).store_aligned(at(sweep_.distance) + n);
            if (sweep_.inverse >= 0) inverse.store_aligned(at(sweep_.inverse) + n);
            if (sweep_.square >= 0) square.store_aligned(at(sweep_.square) + n);
        }
    }
    void switch_off() const {
        auto const from = [](Real const* p) { return One{{B::load_aligned(p)}}; };
        One const start(sweep_.switch_start), inverse_width(sweep_.switch_inverse_width);
        for (int n = 0; n < lanes; n += L::width) {
            One const r = from(square_ + n) * from(inverse_ + n);
            for (int k = 0; k < sweep_.total_count; ++k) {
                One const virial = k == 0 ? -from(at(sweep_.unswitched_virial) + n) : One(Real(0)),
                          energy = from(at(sweep_.unswitched_totals[k]) + n);
                auto const pair = switched<One>({energy, virial}, r, start, inverse_width);
                pair.energy.parts[0].store_aligned(at(sweep_.totals[k]) + n);
                if (k == 0) (-pair.virial).parts[0].store_aligned(at(sweep_.virial) + n);
            }
        }
    }
    /// Numbers of the pairs of a tile that are in range, from its lane `first` on; 0 of others.
    [[gnu::always_inline]] B of_pairs(Real const* numbers, int t, int first) const {
        int const n = t * tile + first;
        return xsimd::select(B::load_aligned(inside_ + n) > B(Real(0)), B::load_aligned(numbers + n), B(Real(0)));
    }
    [[gnu::always_inline]] static void add_to(Real* to, B const& x) { (B::load_aligned(to) + x).store_aligned(to); }
    /// Takes what `of(first)` gives for the lanes of a tile from the j particles' `to`, and adds it to the i particles'
    /// row.
    template <class Of> [[gnu::always_inline]] static void share(Real* to, Real* row, Of const& of) {
        for (int part = 0; part < L::parts; ++part) {
            B sum(Real(0));
            for (int k = 0; k < L::registers; ++k) {
                int const first = k * L::rows * cluster_size + part * L::width;
                B const x = of(first);
                sum += x;
                if (row) add_to(row + first, x);
            }
            if (to) L::subtract_j(to, part, sum);
        }
    }
    void add_forces(int t) {
        alignas(64) Real scale[tile];
        bool const has_slope = sweep_.slope >= 0;
        Real const* const numbers = at(has_slope ? sweep_.slope : sweep_.virial);
        for (int n = 0; n < tile; n += L::width) {
            B const inverse = B::load_aligned(inverse_ + t * tile + n);
            (of_pairs(numbers, t, n) * (has_slope ? inverse : B(inverse * inverse))).store_aligned(scale + n);
        }
        Real* const to = view_.forces + 3 * cluster_size * touched(clusters_[t]);
        for (int axis = 0; axis < 3; ++axis)
            share(
                to + axis * cluster_size, force_row(axis), [&](int first) __attribute__((always_inline)) {
                    return B(-(B::load_aligned(scale + first) * of_pairs(d_[axis], t, first)));
                });
    }
    void add_sum(int t, typename Sweep::Sum const& sum, Real* row) {
        Real* const to = view_.sums + sum.plane * view_.sum_stride + cluster_size * touched(clusters_[t]);
        Real const* const numbers = at(sum.register_number);
        if (sum.is_second)
            share(
                to, nullptr, [&](int first) __attribute__((always_inline)) { return B(-of_pairs(numbers, t, first)); });
        else
            share(
                nullptr, row, [&](int first) __attribute__((always_inline)) { return of_pairs(numbers, t, first); });
    }

    /// Sums for the i particles, or over all pairs, lane by lane of a tile.
    Real* force_row(int axis) const { return sweep_.rows + axis * tile; }
    Real* sums_row(int k) const { return sweep_.rows + (3 + k) * tile; }
    Real* totals_row(int k) const { return sweep_.rows + (3 + sweep_.sum_count + k) * tile; }

    std::ptrdiff_t touched(std::int32_t cluster) const { return view_.force_start[cluster / granule] + cluster; }

    /// What the i particles get.
    void finish(PairGroup const& g) {
        auto const add_rows = [](Real* to, Real const* row) {
            for (int n = 0; n < tile; ++n) to[n / cluster_size] += row[n];
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
    alignas(64) Real d_[3][lanes], inside_[lanes], square_[lanes], inverse_[lanes];
    std::int32_t clusters_[tiles];
    int count_ = 0;
};

}  // namespace trotter::cpu
