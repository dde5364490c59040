// The functions of formulas for several registers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/cpu/pack.hpp>

namespace trotter::cpu {

/// `function` of each register.
template <class Real, class Arch, int count, class Function>
[[gnu::always_inline]] inline Pack<Real, Arch, count> of_each(Pack<Real, Arch, count> const& x,
                                                              Function const& function) {
    return Pack<Real, Arch, count>::each([&](auto n) __attribute__((always_inline)) { return function(x.parts[n]); });
}
/// `function` of each lane, for what xsimd does not do well.
template <class Real, class Arch, int count, class Function>
inline Pack<Real, Arch, count> of_each_lane(Pack<Real, Arch, count> const& x, Function const& function) {
    return of_each(x, [&](Batch<Real, Arch> const& batch) {
        alignas(64) Real lanes[Batch<Real, Arch>::size];
        batch.store_aligned(lanes);
        for (Real& lane : lanes) lane = function(lane);
        return Batch<Real, Arch>::load_aligned(lanes);
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
// The library's 0 has no sign.
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
template <class R, class A, int n> inline Pack<R, A, n> pow(Pack<R, A, n> const& x, Pack<R, A, n> const& y) {
    return Pack<R, A, n>::each([&](auto k) { return xsimd::pow(x.parts[k], y.parts[k]); });
}
template <class R, class A, int n> inline Pack<R, A, n> atan2(Pack<R, A, n> const& y, Pack<R, A, n> const& x) {
    return Pack<R, A, n>::each([&](auto k) { return xsimd::atan2(y.parts[k], x.parts[k]); });
}

}  // namespace trotter::cpu
