// Polynomial fits of smooth functions of r², so that pair loops need no erfc and exp.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <numbers>

#include <trotter/common/simd/unroll.hpp>

namespace trotter {

// Fitting functions are static: each object file has its own, compiled for its instruction set.

inline constexpr int max_degree = 60;

/// Σ c[n] xⁿ with x = 2r²/r_max² - 1 in [-1, 1]: scaled, since in plain powers of r² the terms would cancel.
template <class Real> struct Polynomial {
    int degree = 0;
    std::array<Real, max_degree + 1> c{};

    /// Replaces x by x/scale.
    void stretch(double scale) {
        double power = 1;
        for (Real& coefficient : c) {
            coefficient = static_cast<Real>(power * coefficient);
            power *= scale;
        }
    }

    /// Unrolled if `fixed_degree` is not 0; it must then equal `degree`. Even and odd powers are separate dependency
    /// chains.
    template <int fixed_degree, class T> [[gnu::always_inline]] T operator()(T const& x) const {
        int const top = fixed_degree > 0 ? fixed_degree : degree;
        T const x2 = x * x;
        T first(c[static_cast<std::size_t>(top)]), second(c[static_cast<std::size_t>(top - 1)]);
        auto step = [&](int n) __attribute__((always_inline)) {
            first = multiply_add(first, x2, T(c[static_cast<std::size_t>(n)]));
            second = multiply_add(second, x2, T(c[static_cast<std::size_t>(n - 1)]));
        };
        if constexpr (fixed_degree > 0)
            unroll<(fixed_degree - 1) / 2>([&](auto n)
                                               __attribute__((always_inline)) { step(fixed_degree - 2 - 2 * n); });
        else
            for (int n = degree - 2; n > 0; n -= 2) step(n);
        if (top % 2 == 1) return multiply_add(first, x, second);
        return multiply_add(second, x, multiply_add(first, x2, T(c[0])));
    }
};

/// Degree of the unrolled polynomials: enough for usual Ewald splittings in the precision of `Real`.
template <class Real> inline constexpr int unrolled_degree = sizeof(Real) == 4 ? 11 : 20;

/// Chebyshev coefficients of `function(r²)` on [0, r_max²]; trailing ones at the rounding level are 0.
template <class Function>
static std::array<double, max_degree + 1> chebyshev_coefficients(Function const& function, double r_max) {
    constexpr int nodes = max_degree + 1;
    auto cosine = [](int n) { return std::cos(std::numbers::pi * (n % (4 * nodes)) / (2 * nodes)); };
    std::array<double, nodes> values{}, result{};
    for (int k = 0; k < nodes; ++k)
        values[static_cast<std::size_t>(k)] = function(r_max * r_max * (1 + cosine(2 * k + 1)) / 2);
    for (int n = 0; n < nodes; ++n) {
        double sum = 0;
        for (int k = 0; k < nodes; ++k) sum += values[static_cast<std::size_t>(k)] * cosine(n * (2 * k + 1));
        result[static_cast<std::size_t>(n)] = sum * (n == 0 ? 1.0 : 2.0) / nodes;
    }
    double const noise = 4e-15 * std::abs(result[0]);
    for (auto last = result.rbegin(); last != result.rend() && std::abs(*last) < noise; ++last) *last = 0;
    return result;
}

/// Converts the first terms of a Chebyshev series to powers of x.
template <class Real>
static Polynomial<Real> as_polynomial(std::array<double, max_degree + 1> const& series, int degree) {
    std::array<double, max_degree + 1> result{}, last{1}, current{0, 1};
    for (int n = 0; n <= degree; ++n) {
        for (std::size_t m = 0; m <= static_cast<std::size_t>(n); ++m)
            result[m] += series[static_cast<std::size_t>(n)] * last[m];
        auto next = current;  // T(n+2) = 2x T(n+1) - T(n)
        for (std::size_t m = 0; m <= max_degree; ++m) next[m] = (m > 0 ? 2 * current[m - 1] : 0) - last[m];
        last = current;
        current = next;
    }
    Polynomial<Real> polynomial{};
    polynomial.degree = degree;
    for (std::size_t m = 0; m <= max_degree; ++m) polynomial.c[m] = static_cast<Real>(result[m]);
    return polynomial;
}

/// Truncates the series to an error below `tolerance`, but to no less than the unrolled degree.
template <class Real>
static Polynomial<Real> shortest_polynomial(std::array<double, max_degree + 1> const& series, double tolerance) {
    int degree = max_degree;
    for (double tail = 0; degree > unrolled_degree<Real>; --degree) {
        tail += std::abs(series[static_cast<std::size_t>(degree)]);
        if (tail > tolerance) break;
    }
    return as_polynomial<Real>(series, degree);
}

/// An energy as a function of r², and -dE/dr / r.
template <class Real> struct EnergyAndForce { Polynomial<Real> energy, force_over_r; };

/// Fits `energy(r²)` on [0, r_max²] with errors below a tenth of `tolerance`, as errors of energies add up, and forces
/// with errors below `tolerance`/r_max.
template <class Real, class Energy>
static EnergyAndForce<Real> fitted(Energy const& energy, double r_max, double tolerance) {
    auto const series = chebyshev_coefficients(energy, r_max);
    std::array<double, max_degree + 1> slope{};  // c'(n-1) = c'(n+1) + 2n c(n); dE/dr over r is 4/r_max² dE/dx
    for (std::size_t n = max_degree; n > 0; --n)
        slope[n - 1] =
            (n + 1 <= max_degree ? slope[n + 1] : 0) - 4 / (r_max * r_max) * 2 * static_cast<double>(n) * series[n];
    slope[0] /= 2;
    return {shortest_polynomial<Real>(series, tolerance / 10),
            shortest_polynomial<Real>(slope, tolerance / (r_max * r_max))};
}

}  // namespace trotter
