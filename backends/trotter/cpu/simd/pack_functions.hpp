// Functions of formulas for packs, valid for all numbers as those of <cmath>.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <limits>

#include <trotter/cpu/simd/pack.hpp>

namespace trotter::cpu {

/// Applies `function` to each register.
template <class Real, class Arch, int count, class Function>
[[gnu::always_inline]] inline Pack<Real, Arch, count> of_each(Pack<Real, Arch, count> const& x,
                                                              Function const& function) {
    return Pack<Real, Arch, count>::each([&](auto n) __attribute__((always_inline)) { return function(x.parts[n]); });
}

template <class Real, class Arch> struct Lanes {
    static constexpr std::size_t size = Batch<Real, Arch>::size;
    alignas(64) Real at[size];

    Lanes(Batch<Real, Arch> const& batch) { batch.store_aligned(at); }
    operator Batch<Real, Arch>() const { return Batch<Real, Arch>::load_aligned(at); }
};
/// Replaces lanes of `result` where the mask is set by `function` of the lanes of `operands`.
template <class Real, class Arch, class Function, class... Operands>
[[gnu::noinline, gnu::cold]] Batch<Real, Arch> with_lanes(Batch<Real, Arch> const& result, Mask<Real, Arch> const& mask,
                                                          Function const& function, Operands const&... operands) {
    using B = Batch<Real, Arch>;
    using L = Lanes<Real, Arch>;
    L results(result);
    L const chosen(xsimd::select(mask, B(Real(1)), B(Real(0))));
    auto const replace = [&](auto const&... lanes) {
        for (std::size_t n = 0; n < L::size; ++n)
            if (chosen.at[n] != 0) results.at[n] = function(lanes.at[n]...);
    };
    replace(L(operands)...);
    return results;
}
/// Returns `result`, xsimd's value for `operands`, with lanes in doubt replaced by `function`.
template <class Real, class Arch, class Function, class... Operands>
[[gnu::always_inline]] inline Batch<Real, Arch> unless(Mask<Real, Arch> const& is_in_doubt,
                                                       Batch<Real, Arch> const& result, Function const& function,
                                                       Operands const&... operands) {
    if (!xsimd::any(is_in_doubt)) [[likely]]
        return result;
    return with_lanes<Real, Arch>(result, is_in_doubt, function, operands...);
}
/// Applies `function` to each lane.
template <class Real, class Arch, int count, class Function>
inline Pack<Real, Arch, count> of_each_lane(Pack<Real, Arch, count> const& x, Function const& function) {
    return of_each(x, [&](Batch<Real, Arch> const& batch) {
        Lanes<Real, Arch> lanes(batch);
        for (Real& lane : lanes.at) lane = function(lane);
        return Batch<Real, Arch>(lanes);
    });
}

/// Lanes whose magnitude is neither 0 nor infinite, nor near either.
template <class Real, class Arch>
[[gnu::always_inline]] inline Mask<Real, Arch> is_moderate(Batch<Real, Arch> const& x) {
    using Limits = std::numeric_limits<Real>;
    Batch<Real, Arch> const size = xsimd::abs(x);
    return (size > Batch<Real, Arch>(Limits::min() * 256)) & (size < Batch<Real, Arch>(Limits::max() / 256));
}

// xsimd rounds denormal results to 0, and some near the largest number to infinity.
template <class R, class A, int n> [[gnu::always_inline]] inline Pack<R, A, n> exp(Pack<R, A, n> const& x) {
    constexpr bool is_single = sizeof(R) == 4;
    return of_each(
        x, [](auto const& b) __attribute__((always_inline)) {
            constexpr R usual = is_single ? 87 : 708, most = is_single ? 104 : 746;
            Batch<R, A> const size = xsimd::abs(b);
            return unless<R, A>((size > Batch<R, A>(usual)) & (size < Batch<R, A>(most)), xsimd::exp(b),
                                [](R lane) { return std::exp(lane); }, b);
        });
}
// xsimd's logarithms of denormal numbers differ from those of <cmath>.
template <class R, class A, int n> [[gnu::always_inline]] inline Pack<R, A, n> log(Pack<R, A, n> const& x) {
    return of_each(
        x, [](auto const& b) __attribute__((always_inline)) {
            Batch<R, A> const zero(R(0)), least(std::numeric_limits<R>::min());
            return unless<R, A>((b > zero) & (b < least), xsimd::log(b), [](R lane) { return std::log(lane); }, b);
        });
}
template <class R, class A, int n> inline Pack<R, A, n> sin(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::sin(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> cos(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::cos(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> tan(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::tan(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> asin(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::asin(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> acos(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::acos(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> atan(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::atan(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> sinh(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::sinh(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> cosh(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::cosh(b); });
}
template <class R, class A, int n> inline Pack<R, A, n> tanh(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::tanh(b); });
}
// xsimd loses the sign of 0.
template <class R, class A, int n> inline Pack<R, A, n> floor(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::copysign(xsimd::floor(b), b); });
}
template <class R, class A, int n> inline Pack<R, A, n> ceil(Pack<R, A, n> const& x) {
    return of_each(x, [](auto const& b) { return xsimd::copysign(xsimd::ceil(b), b); });
}
template <class R, class A, int n> inline Pack<R, A, n> erf(Pack<R, A, n> const& x) {
    return of_each_lane(x, [](R lane) { return std::erf(lane); });
}
template <class R, class A, int n> inline Pack<R, A, n> erfc(Pack<R, A, n> const& x) {
    return of_each_lane(x, [](R lane) { return std::erfc(lane); });
}
// xsimd has NaN^0 = NaN and 0^-1 = 0, other values for denormal numbers and near infinity, and treats some exponents as
// odd whose last bit is worth 2.
template <class R, class A, int n> inline Pack<R, A, n> pow(Pack<R, A, n> const& x, Pack<R, A, n> const& y) {
    return Pack<R, A, n>::each([&](auto k) {
        Batch<R, A> const &base = x.parts[k], &exponent = y.parts[k], result = xsimd::pow(base, exponent);
        auto const is_exact = xsimd::abs(exponent) < Batch<R, A>(R(1) / std::numeric_limits<R>::epsilon());
        return unless<R, A>(
            !(is_moderate<R, A>(base) & is_moderate<R, A>(result) & is_exact), result,
            [](R a, R b) { return std::pow(a, b); }, base, exponent);
    });
}
// xsimd has no value if both are 0 or infinite.
template <class R, class A, int n> inline Pack<R, A, n> atan2(Pack<R, A, n> const& y, Pack<R, A, n> const& x) {
    return Pack<R, A, n>::each([&](auto k) {
        auto const in_doubt = !(is_moderate<R, A>(y.parts[k]) & is_moderate<R, A>(x.parts[k]));
        return unless<R, A>(
            in_doubt, xsimd::atan2(y.parts[k], x.parts[k]), [](R a, R b) { return std::atan2(a, b); }, y.parts[k],
            x.parts[k]);
    });
}

}  // namespace trotter::cpu
