// The formulas of the generalized Born model of Onufriev, Bashford and Case, for any number type.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include <trotter/expression/evaluate.hpp>
#include <trotter/forces/gbsa_obc.hpp>

namespace trotter {

/// Radius of the solvent in the surface term [nm].
inline constexpr double probe_radius = 0.14;

/// A value and its derivative.
template <class T> struct ValueAndSlope {
    T value, slope;  ///< derivative by the argument that the function names
};

/// Contribution H(r) of a neighbour at distance r to the Born integral I = ½ Σ H of a particle with the reduced radius
/// rho, over a sphere of radius s around the neighbour (G. D. Hawkins, C. J. Cramer, D. G. Truhlar, Chem. Phys. Lett.
/// 246, 122 (1995)). The r dependence of the bounds cancels in the slope.
template <class T> [[gnu::always_inline]] inline ValueAndSlope<T> descreening(T const& r, T const& inverse_r, T const& rho, T const& s) {
    using expression::choose;
    using std::abs, std::log, std::max;
    T const upper = r + s, lower = max(rho, abs(r - s));
    T const inverse_upper = T(1) / upper, inverse_lower = T(1) / lower;
    T const squares = inverse_upper * inverse_upper - inverse_lower * inverse_lower;
    T const logarithm = log(lower * inverse_upper) * inverse_r;
    T const ratio = s * inverse_r;
    T const engulfed = choose(rho < s - r, T(2) * (T(1) / rho - inverse_lower), T(0));
    T const value =
        inverse_lower - inverse_upper + (r * squares * (T(1) - ratio * ratio) + T(2) * logarithm) / T(4) + engulfed;
    T const slope = (squares * (T(1) + ratio * ratio) - T(2) * logarithm * inverse_r) / T(4);
    return {choose(rho < upper, value, T(0)), choose(rho < upper, slope, T(0))};
}

/// Ratio s/r of a neighbour's scaled radius to its distance above which `descreening` loses digits to cancellation.
inline constexpr double central_ratio = 32;

/// H where central_ratio r < s and the neighbour's sphere engulfs the particle, rho < s - r, by a series in x = r/s: H
/// = 2/rho - (1/(1 - x²) + artanh(x)/x)/s, whose closed form cancels; elsewhere `closed`.
template <class T> [[gnu::always_inline]] inline ValueAndSlope<T> central_descreening(T const& r, T const& rho, T const& s,
                                                                                      ValueAndSlope<T> const& closed) {
    using expression::choose, expression::constant;
    constexpr int terms = 6;
    T const inverse = T(1) / s, x = r * inverse, x2 = x * x;
    auto const coefficient = [](int k) { return (2.0 * k + 2) / (2 * k + 1); };
    T value = constant<T>(coefficient(terms)), slope = constant<T>(2 * terms * coefficient(terms));
    for (int k = terms - 1; k >= 1; --k) {
        value = value * x2 + constant<T>(coefficient(k));
        slope = slope * x2 + constant<T>(2 * k * coefficient(k));
    }
    auto const of_series = [&](T const& series, T const& other) __attribute__((always_inline)) {
        return choose(rho < s - r, choose(constant<T>(central_ratio) * r < s, series, other), other);
    };
    return {of_series(T(2) / rho - (value * x2 + T(2)) * inverse, closed.value),
            of_series(-(slope * x * inverse * inverse), closed.slope)};
}

/// H where r >= 3 |s| and r > rho + |s|, by `Terms` terms of a series: there H = (x/(1 - x²) - artanh x)/r with x =
/// s/r, whose closed form cancels. Terms decrease by a factor of nine or more.
template <int Terms, class T>
[[gnu::always_inline]] inline ValueAndSlope<T> distant_descreening(T const& inverse_r, T const& s) {
    T const x = s * inverse_r, x2 = x * x, lead = x * x2 * inverse_r;
    auto const number = [](double c) __attribute__((always_inline)) {
        if constexpr (requires { typename T::value_type; })
            return T(static_cast<typename T::value_type>(c));
        else
            return T(c);
    };
    auto const add = [&](T const& sum, double c) __attribute__((always_inline)) {
        if constexpr (requires { multiply_add(sum, x2, sum); })
            return multiply_add(sum, x2, number(c));
        else
            return sum * x2 + number(c);
    };
    auto const coefficient = [](int k) { return 2.0 * k / (2 * k + 1); };
    T value = number(coefficient(Terms)), slope = number((2 * Terms + 2) * coefficient(Terms));
    for (int k = Terms - 1; k >= 1; --k) {
        value = add(value, coefficient(k));
        slope = add(slope, (2 * k + 2) * coefficient(k));
    }
    return {lead * value, -lead * inverse_r * slope};
}

/// The Born radius for an integral I and its derivative: 1/B = 1/rho - tanh(psi - 0.8 psi² + 4.85 psi³)/radius with
/// psi = I rho, the set OBC(II) of A. Onufriev, D. Bashford, D. A. Case, Proteins 55, 383 (2004).
template <class T> ValueAndSlope<T> born_radius(T const& integral, T const& radius) {
    using std::tanh;
    T const rho = radius - dielectric_offset, psi = integral * rho;
    T const t = tanh(psi * (1 - psi * (0.8 - psi * 4.85)));
    T const born = 1 / (1 / rho - t / radius);
    return {born, born * born * (1 - t * t) * rho / radius * (1 - psi * (1.6 - psi * 14.55))};
}

/// 1/f of a pair, f² = r² + B1 B2 exp(-r²/(4 B1 B2)) (W. C. Still, A. Tempczyk, R. C. Hawley, T. Hendrickson, J. Am.
/// Chem. Soc. 112, 6127 (1990)), its virial -r d(1/f)/dr, and B1 ∂(1/f)/∂B1, which equals B2 ∂(1/f)/∂B2.
template <class T> struct BornPair {
    T inverse, virial, radius_slope;  ///< [1/nm]
};
/// The virial over r², and the slope by a radius.
template <class T> struct BornSlopes {
    T force_over_r, radius_slope;  ///< [1/nm³], [1/nm]
};
/// Computes BornSlopes from B1 B2, x = r²/(4 B1 B2), exp(-x) and 1/f.
template <class T>
[[gnu::always_inline]] inline BornSlopes<T> born_slopes(T const& radii, T const& x, T const& gaussian, T const& inverse) {
    T const cube = inverse * inverse * inverse;
    return {cube * (T(1) - T(0.25) * gaussian), T(-0.5) * cube * radii * gaussian * (T(1) + x)};
}
/// Computes BornPair from r² [nm²] and B1 B2 [nm²].
template <class T> [[gnu::always_inline]] inline BornPair<T> born_pair(T const& r2, T const& radii) {
    using std::exp, std::sqrt;
    T const x = r2 / (T(4) * radii), gaussian = exp(-x);
    T const inverse = T(1) / sqrt(r2 + radii * gaussian);
    auto const slopes = born_slopes(radii, x, gaussian, inverse);
    return {inverse, slopes.force_over_r * r2, slopes.radius_slope};
}

/// Surface energy of a particle and its derivative by the Born radius: E = 4 pi gamma (radius + probe)² (radius/B)⁶.
template <class T> ValueAndSlope<T> surface_energy(T const& surface_area_energy, T const& radius, T const& born) {
    using std::pow;
    T const ratio = radius / born, reach = radius + probe_radius;
    T const energy = 4 * std::numbers::pi * surface_area_energy * reach * reach * pow(ratio, 6);
    return {energy, -6 * energy / born};
}

/// Self energy of a particle, prefactor q²/(2B) plus its surface energy, and its derivative by the Born radius.
template <class T>
ValueAndSlope<T> self_energy(double prefactor, T const& surface_area_energy, T const& charge, T const& radius, T const& born) {
    T const self = T(prefactor / 2) * charge * charge / born;
    auto const surface = surface_energy(surface_area_energy, radius, born);
    return {self + surface.value, surface.slope - self / born};
}

}  // namespace trotter
