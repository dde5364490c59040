// FFT codelets: small transforms generated as kernel source that keeps its numbers in registers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <trotter/device/text/traced.hpp>

namespace trotter::device {

/// A complex number in kernel source.
struct TracedComplex {
    Traced re, im;

    friend TracedComplex operator+(TracedComplex const& a, TracedComplex const& b) { return {a.re + b.re, a.im + b.im}; }
    friend TracedComplex operator-(TracedComplex const& a, TracedComplex const& b) { return {a.re - b.re, a.im - b.im}; }
    friend TracedComplex operator*(TracedComplex const& a, TracedComplex const& b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
};

/// cos(2 pi k/n), with exact zeros and ones.
inline double cosine_of_turn(std::size_t k, std::size_t n) {
    k %= n;
    if (4 * k == n || 4 * k == 3 * n) return 0;
    if (2 * k == n) return -1;
    return std::cos(2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}
/// sin(2 pi k/n), likewise.
inline double sine_of_turn(std::size_t k, std::size_t n) {
    k %= n;
    if (2 * k == n) return 0;
    if (4 * k == n) return 1;
    if (4 * k == 3 * n) return -1;
    return std::sin(2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

/// X_q = Σ_r x_r exp(-2 pi i q r/p) for a prime size p; r and p - r share their products.
inline std::vector<TracedComplex> prime_codelet(std::vector<TracedComplex> const& x) {
    std::size_t const p = x.size();
    if (p == 2) return {x[0] + x[1], x[0] - x[1]};
    std::vector<TracedComplex> result(p, x[0]);
    for (std::size_t r = 1; 2 * r < p; ++r) result[0] = result[0] + (x[r] + x[p - r]);
    for (std::size_t q = 1; 2 * q < p; ++q) {
        TracedComplex even = x[0], odd{0, 0};
        for (std::size_t r = 1; 2 * r < p; ++r) {
            Traced const c = cosine_of_turn(q * r, p), s = sine_of_turn(q * r, p);
            TracedComplex const sum = x[r] + x[p - r], difference = x[r] - x[p - r];
            even = even + TracedComplex{sum.re * c, sum.im * c};
            odd = odd + TracedComplex{difference.re * s, difference.im * s};
        }
        TracedComplex const turned{odd.im, -odd.re};
        result[q] = even + turned;
        result[p - q] = even - turned;
    }
    return result;
}

/// The same for any small size, by prime factors (J. W. Cooley and J. W. Tukey, Math. Comput. 19, 297 (1965)).
inline std::vector<TracedComplex> codelet(std::vector<TracedComplex> const& x) {
    std::size_t const n = x.size();
    std::size_t p = 2;
    while (p < n && n % p != 0) ++p;
    if (p >= n) return n == 1 ? x : prime_codelet(x);
    std::size_t const m = n / p;
    std::vector<std::vector<TracedComplex>> parts;
    for (std::size_t r = 0; r < p; ++r) {
        std::vector<TracedComplex> part;
        for (std::size_t j = 0; j < m; ++j) part.push_back(x[r + j * p]);
        parts.push_back(codelet(part));
    }
    std::vector<TracedComplex> result(n);
    for (std::size_t k = 0; k < m; ++k) {
        std::vector<TracedComplex> across;
        for (std::size_t r = 0; r < p; ++r)
            across.push_back(parts[r][k] * TracedComplex{cosine_of_turn(r * k, n), -sine_of_turn(r * k, n)});
        across = prime_codelet(across);
        for (std::size_t q = 0; q < p; ++q) result[k + q * m] = across[q];
    }
    return result;
}

}  // namespace trotter::device
