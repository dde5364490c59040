// Smooth functions of r² as polynomials: the pair loops need no erfc and no exp.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <trotter/cpu/simd.hpp>

namespace trotter::cpu {

inline constexpr int max_degree = 60;

/// Σ c[n] xⁿ with x = 2r²/r_max² - 1 in [-1, 1]: scaled, since in plain powers of r² the terms would cancel.
template <class Real> struct Polynomial {
    int degree = 0;
    std::array<Real, max_degree + 1> c{};

    /// Unrolled where `fixed_degree` is not 0; it then has to be `degree`.
    template <int fixed_degree, class B> [[gnu::always_inline]] B operator()(B const& x) const {
        if constexpr (fixed_degree > 0) {
            B result(c[fixed_degree]);
            unroll<fixed_degree>([&](auto n) __attribute__((always_inline)) {
                result = xsimd::fma(result, x, B(c[static_cast<std::size_t>(fixed_degree - 1 - n)]));
            });
            return result;
        } else {
            B result(c[static_cast<std::size_t>(degree)]);
            for (int n = degree - 1; n >= 0; --n) result = xsimd::fma(result, x, B(c[static_cast<std::size_t>(n)]));
            return result;
        }
    }
};

/// The degree that pair loops have unrolled: enough for usual splittings in the precision of `Real`.
template <class Real> inline constexpr int unrolled_degree = sizeof(Real) == 4 ? 12 : 20;

/// The Chebyshev coefficients of `function(r²)` on [0, r_max²].
template <class Function> std::array<double, max_degree + 1> chebyshev_coefficients(Function const& function, double r_max) {
    constexpr int nodes = max_degree + 1;
    auto cosine = [](int n) { return std::cos(std::numbers::pi * (n % (4 * nodes)) / (2 * nodes)); };
    std::array<double, nodes> values{}, result{};
    for (int k = 0; k < nodes; ++k) values[static_cast<std::size_t>(k)] = function(r_max * r_max * (1 + cosine(2 * k + 1)) / 2);
    for (int n = 0; n < nodes; ++n) {
        double sum = 0;
        for (int k = 0; k < nodes; ++k) sum += values[static_cast<std::size_t>(k)] * cosine(n * (2 * k + 1));
        result[static_cast<std::size_t>(n)] = sum * (n == 0 ? 1.0 : 2.0) / nodes;
    }
    return result;
}

/// The sum of the first terms of a Chebyshev series in powers of x.
template <class Real> Polynomial<Real> as_polynomial(std::array<double, max_degree + 1> const& series, int degree) {
    std::array<double, max_degree + 1> result{}, last{1}, current{0, 1};
    for (int n = 0; n <= degree; ++n) {
        for (std::size_t m = 0; m <= static_cast<std::size_t>(n); ++m) result[m] += series[static_cast<std::size_t>(n)] * last[m];
        auto next = current;  // T(n+2) = 2x T(n+1) - T(n)
        for (std::size_t m = 0; m <= max_degree; ++m) next[m] = (m > 0 ? 2 * current[m - 1] : 0) - last[m];
        last = current;
        current = next;
    }
    Polynomial<Real> polynomial;
    polynomial.degree = degree;
    for (std::size_t m = 0; m <= max_degree; ++m) polynomial.c[m] = static_cast<Real>(result[m]);
    return polynomial;
}

/// `function` of r² on [0, r_max²] with an error below `tolerance`, or as near to it as doubles come. At least of the
/// unrolled degree.
template <class Real, class Function> Polynomial<Real> fitted_polynomial(Function const& function, double r_max, double tolerance) {
    auto const series = chebyshev_coefficients(function, r_max);
    int degree = max_degree;
    for (double tail = 0; degree > unrolled_degree<Real>; --degree) {
        tail += std::abs(series[static_cast<std::size_t>(degree)]);
        if (tail > tolerance) break;
    }
    return as_polynomial<Real>(series, degree);
}

/// erf(alpha r)/r and minus its slope over r: what the reciprocal sum of an Ewald splitting adds to near pairs.
struct ScreenedCoulomb {
    double alpha;

    double energy(double r2) const {
        double const r = std::sqrt(r2);
        return r > 0 ? std::erf(alpha * r) / r : 2 * alpha * std::numbers::inv_sqrtpi;
    }
    double force_over_r(double r2) const {
        double const z2 = alpha * alpha * r2, factor = 2 * alpha * alpha * alpha * std::numbers::inv_sqrtpi;
        if (z2 > 1) return (energy(r2) - 2 * alpha * std::numbers::inv_sqrtpi * std::exp(-z2)) / r2;
        double sum = 0, power = 1;  // Σ (-1)^(n+1) z^(2n-2) 2n/(n!(2n+1)), where the difference above would cancel
        for (int n = 1; n < 25; ++n) {
            sum += power * 2 / (2 * n + 1);
            power *= -z2 / n;
        }
        return factor * sum;
    }
};

/// (1 - exp(-z)(1 + z + z²/2))/r⁶ with z = (beta r)², and minus its slope over r: the same for dispersion in LJPME.
struct ScreenedDispersion {
    double beta;

    double energy(double r2) const {
        double const z = beta * beta * r2;
        return std::pow(beta, 6) * std::exp(-z) * tail(z, 3);
    }
    double force_over_r(double r2) const {
        double const z = beta * beta * r2;
        return std::pow(beta, 8) * 6 * std::exp(-z) * tail(z, 4);
    }

private:
    /// Σ z^m/(m+first)!, which is (exp(z) - …)/z^first without its cancellation.
    static double tail(double z, int first) {
        double term = 1 / std::tgamma(first + 1.0), sum = term;
        for (int m = 1; term > 1e-17 * sum; ++m) sum += term *= z / (first + m);
        return sum;
    }
};

}  // namespace trotter::cpu
