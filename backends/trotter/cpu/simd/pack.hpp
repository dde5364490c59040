// Several registers as one number.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

template <class Real, class Arch, int count> struct PackMask {
    Mask<Real, Arch> parts[count];

    [[gnu::always_inline]] friend PackMask operator&(PackMask const& a, PackMask const& b) {
        PackMask result;
        unroll<count>([&](auto n) __attribute__((always_inline)) { result.parts[n] = a.parts[n] & b.parts[n]; });
        return result;
    }
};

template <class Real, class Arch, int count>
[[gnu::always_inline]] inline bool any(PackMask<Real, Arch, count> const& mask) {
    Mask<Real, Arch> result = mask.parts[0];
    unroll<count - 1>([&](auto n) __attribute__((always_inline)) { result = result | mask.parts[n + 1]; });
    return xsimd::any(result);
}

/// Performs each operation for all registers before the next, so that the processor finds independent work close
/// together: dependency chains in pair loops are long, and its window is short.
template <class Real, class Arch, int count> struct Pack {
    using B = Batch<Real, Arch>;
    using M = PackMask<Real, Arch, count>;
    using value_type = Real;
    static constexpr std::size_t size = static_cast<std::size_t>(count) * B::size;  ///< how many numbers it holds
    B parts[count];

    Pack() = default;
    [[gnu::always_inline]] Pack(Real x) : Pack(B(x)) {}
    [[gnu::always_inline]] Pack(B const& x) {
        unroll<count>([&](auto n) __attribute__((always_inline)) { parts[n] = x; });
    }

    /// The pack of `function(n)` for each register n.
    template <class Function> [[gnu::always_inline]] static Pack each(Function const& function) {
        Pack result;
        unroll<count>([&](auto n) __attribute__((always_inline)) { result.parts[n] = function(n); });
        return result;
    }
    template <class Function> [[gnu::always_inline]] static M each_mask(Function const& function) {
        M result;
        unroll<count>([&](auto n) __attribute__((always_inline)) { result.parts[n] = function(n); });
        return result;
    }

    [[gnu::always_inline]] static Pack load_unaligned(Real const* from) {
        return each([&](auto n) __attribute__((always_inline)) { return B::load_unaligned(from + n * width); });
    }
    [[gnu::always_inline]] void store_unaligned(Real* to) const {
        unroll<count>([&](auto n) __attribute__((always_inline)) { parts[n].store_unaligned(to + n * width); });
    }

    [[gnu::always_inline]] B total() const {
        B result = parts[0];
        unroll<count - 1>([&](auto n) __attribute__((always_inline)) { result += parts[n + 1]; });
        return result;
    }

    [[gnu::always_inline]] Pack& operator+=(Pack const& b) { return *this = *this + b; }
    [[gnu::always_inline]] Pack& operator-=(Pack const& b) { return *this = *this - b; }
    [[gnu::always_inline]] friend Pack operator-(Pack const& a) {
        return each([&](auto n) __attribute__((always_inline)) { return B(-a.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack operator+(Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) { return B(a.parts[n] + b.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack operator-(Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) { return B(a.parts[n] - b.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack operator*(Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) { return B(a.parts[n] * b.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack operator/(Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) { return B(a.parts[n] / b.parts[n]); });
    }
    [[gnu::always_inline]] friend M operator<(Pack const& a, Pack const& b) {
        return each_mask([&](auto n) __attribute__((always_inline)) { return a.parts[n] < b.parts[n]; });
    }
    [[gnu::always_inline]] friend M operator==(Pack const& a, Pack const& b) {
        return each_mask([&](auto n) __attribute__((always_inline)) { return a.parts[n] == b.parts[n]; });
    }
    [[gnu::always_inline]] friend M operator<=(Pack const& a, Pack const& b) {
        return each_mask([&](auto n) __attribute__((always_inline)) { return a.parts[n] <= b.parts[n]; });
    }
    [[gnu::always_inline]] friend Pack multiply_add(Pack const& a, Pack const& b, Pack const& c) {
        return each([&](auto n)
                        __attribute__((always_inline)) { return multiply_add(a.parts[n], b.parts[n], c.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack multiply_subtract(Pack const& a, Pack const& b, Pack const& c) {
        return each([&](auto n) __attribute__((always_inline)) {
            return multiply_subtract(a.parts[n], b.parts[n], c.parts[n]);
        });
    }
    [[gnu::always_inline]] friend Pack subtract_product(Pack const& c, Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) {
            return subtract_product(c.parts[n], a.parts[n], b.parts[n]);
        });
    }
    [[gnu::always_inline]] friend Pack halved(Pack const& a) {
        return each([&](auto n) __attribute__((always_inline)) { return halved(a.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack select(M const& mask, Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) {
            return xsimd::select(mask.parts[n], a.parts[n], b.parts[n]);
        });
    }
    /// `x` where the mask is set, otherwise 0, even if `x` is infinite or NaN.
    [[gnu::always_inline]] friend Pack keep(M const& mask, Pack const& x) {
        return each([&](auto n) __attribute__((always_inline)) { return kept<Real, Arch>(mask.parts[n], x.parts[n]); });
    }
    /// The smaller of both; b where one is NaN.
    [[gnu::always_inline]] friend Pack lesser(Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) { return lesser_of<Real, Arch>(a.parts[n], b.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack max(Pack const& a, Pack const& b) {
        return each([&](auto n) __attribute__((always_inline)) { return xsimd::max(a.parts[n], b.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack abs(Pack const& a) {
        return each([&](auto n) __attribute__((always_inline)) { return xsimd::abs(a.parts[n]); });
    }
    [[gnu::always_inline]] friend Pack sqrt(Pack const& a) {
        return each([&](auto n) __attribute__((always_inline)) { return xsimd::sqrt(a.parts[n]); });
    }

    /// 1/√x within about one unit in the last place; x must be normal. With an estimate y and e = 1 - x y², it is
    /// y/√(1 - e), of which the series in e is taken as far as the estimate's bits need: 14 become 56 with e³.
    [[gnu::always_inline]] friend Pack inverse_sqrt(Pack const& x) {
        if constexpr (has_rsqrt_estimate<Real, Arch>) {
            Pack const y =
                each([&](auto n) __attribute__((always_inline)) { return estimated_rsqrt<Real, Arch>(x.parts[n]); });
            Pack const e = subtract_product(Pack(Real(1)), x * y, y);
            if constexpr (sizeof(Real) == 4) return multiply_add(halved(y), e, y);
            Pack const series =
                multiply_add(multiply_add(Pack(Real(5.0 / 16)), e, Pack(Real(3.0 / 8))), e, Pack(Real(0.5)));
            return multiply_add(y * e, series, y);
        } else
            return Pack(Real(1)) / sqrt(x);
    }

private:
    static constexpr int width = static_cast<int>(B::size);
};

}  // namespace trotter::cpu
