// Discrete functions for many pairs at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/cpu/simd.hpp>

namespace trotter::cpu {

/// A call of a discrete function. Registers are numbers, of which -1 is none: nobody wants that result.
struct DiscreteCall {
    double const* numbers;  ///< of the table, the first argument changing fastest
    int arguments;
    int sizes[3], operands[3];
    int value, slopes[3];
};

/// Which tables are so small that the number of each value is a Real.
template <class Real> constexpr bool can_count(int const* sizes, int arguments) {
    double count = 1;
    for (int k = 0; k < arguments; ++k) count *= sizes[k];
    return count <= (sizeof(Real) == 4 ? 0x1p24 : 0x1p31);
}

/// See TabulatedFunction: what is no number counts as 0. Register r begins at `registers` + r * `stride`. `Arch` is
/// what it is compiled for.
template <class Real, class Arch>
void discrete_sweep(DiscreteCall const& call, Real* registers, std::ptrdiff_t stride, int count) {
    using B = Batch<Real, Arch>;
    B const zero(Real(0)), half(static_cast<Real>(0.5));
    for (int lane = 0; lane < count; lane += static_cast<int>(B::size)) {
        B place = zero;
        for (int k = call.arguments; k-- > 0;) {
            B const x = B::load_aligned(registers + call.operands[k] * stride + lane),
                    last(static_cast<Real>(call.sizes[k] - 1)),
                    nearest = xsimd::floor(xsimd::min(xsimd::select(x > zero, x, zero), last) + half);
            place = place * B(static_cast<Real>(call.sizes[k])) + nearest;
        }
        if (call.value >= 0)
            gather<Real, Arch>(call.numbers, place).store_aligned(registers + call.value * stride + lane);
        for (int k = 0; k < call.arguments; ++k)
            if (call.slopes[k] >= 0) zero.store_aligned(registers + call.slopes[k] * stride + lane);
    }
}

}  // namespace trotter::cpu
