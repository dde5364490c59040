// Evaluates tabulated functions for many pairs at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/cpu/simd/simd.hpp>
#include <trotter/tables/spline.hpp>

namespace trotter::cpu {

/// A call of a tabulated function. Registers are indices, -1 for unwanted results.
struct TableCall {
    TableView table;
    int operands[3] = {-1, -1, -1};
    int value = -1, slopes[3] = {-1, -1, -1};
};

/// Evaluates a call in double. Register r begins at `registers` + r * `stride`. Compiled for `Arch`.
template <class Real, class Arch> class TableEvaluation {
    using D = Batch<double, Arch>;

public:
    static void run(TableCall const& call, Real* registers, std::ptrdiff_t stride, int count) {
        if (!call.table.is_discrete)
            run_spline(call, registers, stride, count);
        else if (call.table.arguments == 1)
            run_discrete<1>(call, registers, stride, count);
        else if (call.table.arguments == 2)
            run_discrete<2>(call, registers, stride, count);
        else
            run_discrete<3>(call, registers, stride, count);
    }

private:
    static void run_spline(TableCall const& call, Real* registers, std::ptrdiff_t stride, int count) {
        auto const at = [numbers = call.table.numbers](D const& place) { return gather<Arch>(numbers, place); };
        for (int lane = 0; lane < count; lane += static_cast<int>(D::size)) {
            D x[3], slopes[3];
            for (int n = 0; n < call.table.arguments; ++n)
                x[n] = load_doubles<Arch>(registers + call.operands[n] * stride + lane);
            D const value = evaluate_spline(call.table, x, slopes, at);
            if (call.value >= 0) store_doubles<Arch>(value, registers + call.value * stride + lane);
            for (int n = 0; n < call.table.arguments; ++n)
                if (call.slopes[n] >= 0) store_doubles<Arch>(slopes[n], registers + call.slopes[n] * stride + lane);
        }
    }
    /// The value at the nearest integers; NaN counts as 0. Slopes are 0, and never wanted.
    template <int arguments>
    static void run_discrete(TableCall const& call, Real* registers, std::ptrdiff_t stride, int count) {
        if (call.value < 0) return;
        D const zero(0.0), half(0.5);
        D last[arguments], size[arguments];
        Real const* x[arguments];
        for (int n = 0; n < arguments; ++n) {
            size[n] = D(static_cast<double>(call.table.sizes[n])), last[n] = size[n] - D(1.0);
            x[n] = registers + call.operands[n] * stride;
        }
        Real* const to = registers + call.value * stride;
        for (int lane = 0; lane < count; lane += static_cast<int>(D::size)) {
            D place = zero;
            unroll<arguments>([&](auto k) __attribute__((always_inline)) {
                constexpr int n = arguments - 1 - k;
                D const at = load_doubles<Arch>(x[n] + lane),
                        inside = xsimd::min(xsimd::select(at > zero, at, zero), last[n]);
                place = multiply_add<double, Arch>(place, size[n], xsimd::floor(inside + half));
            });
            store_doubles<Arch>(gather<Arch>(call.table.numbers, place), to + lane);
        }
    }
};

}  // namespace trotter::cpu
