// Radial functions of interacting multipoles: Coulomb's law, Ewald's direct sum, and Thole's damping of both.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace trotter::amoeba {

/// Functions B_0 … B_{count-1} with B_{n+1} = -(1/r) dB_n/dr: a table for `potential_of`.
template <class T, std::size_t count> struct InversePowers {
    std::array<T, count> b;  ///< B_n

    ///@{
    /// The function of moment order `l` and derivative order `n`, which is B_{l+n} for each interaction that depends on
    /// the distance of two sites alone.
    constexpr T const& s(int l, int n) const { return b[static_cast<std::size_t>(l + n)]; }
    constexpr T const& v(int l, int n) const { return s(l, n); }
    constexpr T const& w(int n) const { return s(2, n); }
    ///@}
};

/// Coulomb's law: B_n = (2n-1)!!/r^(2n+1).
template <std::size_t count, class T> constexpr InversePowers<T, count> bare_powers(T const& inverse_r) {
    InversePowers<T, count> result{};
    T const inverse_square = inverse_r * inverse_r;
    result.b[0] = inverse_r;
    for (std::size_t n = 1; n < count; ++n)
        result.b[n] = result.b[n - 1] * inverse_square * static_cast<T>(2 * static_cast<double>(n) - 1);
    return result;
}

/// Direct part of an Ewald sum: B_0 = erfc(alpha r)/r, B_n = ((2n-1) B_{n-1} + (2 alpha²)^n exp(-alpha² r²)/(alpha
/// √pi))/r² (C. Sagui, L. G. Pedersen, T. A. Darden, J. Chem. Phys. 120, 73 (2004)).
template <std::size_t count, class T>
InversePowers<T, count> ewald_powers(T const& r, T const& inverse_r, double alpha) {
    using std::erfc;
    using std::exp;
    InversePowers<T, count> result{};
    T const inverse_square = inverse_r * inverse_r, at = r * T(alpha);
    result.b[0] = erfc(at) * inverse_r;
    T term = exp(-at * at) * T(1 / (alpha * std::sqrt(std::numbers::pi)));
    for (std::size_t n = 1; n < count; ++n) {
        term *= T(2 * alpha * alpha);
        result.b[n] = (result.b[n - 1] * T(2 * static_cast<double>(n) - 1) + term) * inverse_square;
    }
    return result;
}

/// Factors of the bare B_1 … B_4 between a point dipole and moments smeared over u = r/(damping of both): λ_1 = 1 -
/// exp(-a u³), and λ_{n+1} = λ_n - r λ_n'/(2n+1), as follows from B_{n+1} = -(1/r) dB_n/dr (B. T. Thole, Chem. Phys.
/// 59, 341 (1981); P. Ren, J. W. Ponder, J. Phys. Chem. B 107, 5933 (2003)). λ_0 is not used.
template <class T> struct TholeFactors {
    std::array<T, 5> factor{T(1), T(1), T(1), T(1), T(1)};  ///< λ_n

    constexpr TholeFactors() = default;
    /// `x` is a u³.
    explicit TholeFactors(T const& x) {
        using std::exp;
        T const e = exp(-x), square = x * x;
        factor[1] = T(1) - e;
        factor[2] = T(1) - (T(1) + x) * e;
        factor[3] = T(1) - (T(1) + x + T(0.6) * square) * e;
        factor[4] = T(1) - (T(1) + x + T(18.0 / 35) * square + T(9.0 / 35) * square * x) * e;
    }
};

/// Thole's parameters of a site.
struct TholeSite {
    double damping = 0;  ///< sixth root of the polarizability [nm^½]; 0: the site's interactions are not damped
    double thole = 0;    ///< the parameter a; that of a pair is the smaller one
};

/// The factors of a pair.
inline TholeFactors<double> thole_factors(TholeSite const& one, TholeSite const& other, double r) {
    double const damping = one.damping * other.damping;
    if (damping == 0) return {};
    double const u = r / damping, x = (one.thole < other.thole ? one.thole : other.thole) * u * u * u;
    constexpr double vanishing = 50;  // x³ exp(-x) is below rounding from here on
    return x > vanishing ? TholeFactors<double>{} : TholeFactors<double>(x);
}

/// Functions `full` of which the bare part is scaled and damped: full + (scale λ - 1) bare. Without an Ewald sum, full
/// and bare are equal.
template <std::size_t count, std::size_t n, std::size_t m, class T>
constexpr InversePowers<T, count> damped(InversePowers<T, n> const& full, InversePowers<T, m> const& bare,
                                         TholeFactors<T> const& lambda, T const& scale) {
    static_assert(count <= n && count <= m);
    InversePowers<T, count> result{};
    for (std::size_t k = 0; k < count; ++k) result.b[k] = full.b[k] + (scale * lambda.factor[k] - T(1)) * bare.b[k];
    return result;
}
/// The same without damping.
template <std::size_t count, class T> constexpr InversePowers<T, count> scaled(InversePowers<T, count> const& full,
                                                                               InversePowers<T, count> const& bare,
                                                                               T const& scale) {
    InversePowers<T, count> result{};
    for (std::size_t k = 0; k < count; ++k) result.b[k] = full.b[k] + (scale - T(1)) * bare.b[k];
    return result;
}

}  // namespace trotter::amoeba
