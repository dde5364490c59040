// Radial functions of diffuse electrons: charge penetration and overlap.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <trotter/amoeba/multipoles/dual.hpp>
#include <trotter/amoeba/multipoles/radial.hpp>

namespace trotter::amoeba {

/// f and its derivatives, b_{n+1} = -(1/r) db_n/dr, as multipoles up to quadrupoles need for forces.
template <class T = double> using RadialFunctions = InversePowers<T, 6>;

namespace detail {

/// Functions from a formula for b_n.
template <class T, class Formula> RadialFunctions<T> radial_functions(Formula const& formula) {
    return [&]<int... n>(std::integer_sequence<int, n...>) {
        return RadialFunctions<T>{{formula(n)...}};  // unrolled: n is a constant in each
    }
    (std::make_integer_sequence<int, 6>());
}

}  // namespace detail

/// The functions y_n with y_0 = exp(-a r)/r and y_{n+1} = -(1/r) dy_n/dr. They obey the recursion of modified spherical
/// Bessel functions,
///
///     y_{n+1} = ((2n+1) y_n + a² y_{n-1})/r²,
///
/// which also defines them for negative n, where y_{-1} = exp(-a r)/a. Densities that decay as polynomials times exp(-a
/// r) interact by sums of a^{2k} y_{-k}, whose derivatives have the same form.
template <class T, int depth = 1> class DecayingFunctions {
public:
    /// With y_{-k} for k up to `depth`.
    DecayingFunctions(T const& a, T const& r) {
        using std::exp;
        T const x = a * r, square = x * x, e = exp(-x), inverse = T(1) / (r * r), square_a = a * a;
        below_[0] = e;
        if constexpr (depth > 1) below_[1] = (T(1) + x) * e;
        for (int k = 2; k < depth; ++k)
            below_[index(k)] = T(2 * k - 1) * below_[index(k - 1)] + square * below_[index(k - 2)];
        y_[0] = e / r;
        y_[1] = (y_[0] + a * e) * inverse;
        for (int n = 1; n < 5; ++n)
            y_[index(n + 1)] = (T(2 * n + 1) * y_[index(n)] + square_a * y_[index(n - 1)]) * inverse;
        powers_[0] = T(1);
        for (std::size_t n = 1; n < powers_.size(); ++n) powers_[n] = powers_[n - 1] * a;
    }
    /// y_n for n ≥ 0.
    T const& operator[](int n) const { return y_[index(n)]; }
    /// Derivative n of a^{2k-1} y_{-k}, for k ≥ 1. It is finite for a = 0.
    T below(int k, int n) const {
        return n < k ? powers_[index(2 * n)] * below_[index(k - n - 1)] : powers_[index(2 * k - 1)] * y_[index(n - k)];
    }

private:
    static constexpr std::size_t index(int n) { return static_cast<std::size_t>(n); }

    std::array<T, depth> below_;  // a^{2k-1} y_{-k} for k = 1, 2, …
    std::array<T, 6> y_;
    std::array<T, depth == 1 ? 2 : 11> powers_;  // of a
};

namespace detail {

/// Formulas for two decays lose digits where these are close. Functions of both follow from the Fourier transform
/// a⁴b⁴/((a²+k²)²(b²+k²)²) of two densities, which is a series in ε = ((a²-b²)/(a²+b²))² of those for one decay c =
/// ((a² + b²)/2)^½: (1-ε)² Σ_j (j+1) ε^j (c²/(c²+k²))^{4+2j}.
template <class T> struct CloseDecays {
    static constexpr double most = 4e-3;  // of ε: the last term is about 1e-16
    static constexpr int most_terms = 7;

    CloseDecays(T const& a, T const& b) : CloseDecays(a, b, 1) {
        is_close = epsilon <= T(most);
        if (is_close) terms = terms_for(static_cast<double>(epsilon), 1e-18);
    }
    // For numbers that are not known yet.
    CloseDecays(T const& a, T const& b, int term_count) : terms(term_count) {
        T const sum = a * a + b * b, difference = a * a - b * b;
        epsilon = select(T(0) < sum, T((difference / sum) * (difference / sum)), T(0));
    }
    // The number of terms up to the power of ε that is below `tolerance`.
    static constexpr int terms_for(double epsilon, double tolerance) {
        int result = 1;
        for (double rest = epsilon; result < most_terms && rest > tolerance; rest *= epsilon) ++result;
        return result;
    }

    T epsilon;
    bool is_close = false;
    int terms;

    T mean(T const& a, T const& b) const {
        using std::sqrt;
        return sqrt((a * a + b * b) * T(0.5));
    }
};

/// 1/(2^k k!).
constexpr double inverse_double_factorial(int k) {
    double result = 1;
    for (int n = 1; n <= k; ++n) result /= 2 * n;
    return result;
}

}  // namespace detail

/// What the density a³/(8 pi) exp(-a r) of an electron lacks from the potential 1/r: exp(-a r) (1/r + a/2) (J. A.
/// Rackers, Q. Wang, C. Liu, J.-P. Piquemal, P. Ren, J. W. Ponder, Phys. Chem. Chem. Phys. 19, 276 (2017)).
template <class T, int depth> RadialFunctions<T> penetration(DecayingFunctions<T, depth> const& decay, T const& a) {
    T const half = a * T(0.5);
    return detail::radial_functions<T>([&](int n) { return decay[n] + half * decay.below(1, n); });
}

namespace detail {

/// The same between two such densities with decays a and b: f_a² exp(-a r) ((1 + 2 f_b)/r + a/2) and its counterpart,
/// f_a = b²/(b² - a²), f_b = 1 - f_a.
template <class T, int depth>
RadialFunctions<T> mutual_penetration_of_different(DecayingFunctions<T, depth> const& of_a, T const& a,
                                                   DecayingFunctions<T, depth> const& of_b, T const& b) {
    T const inverse = T(1) / (b * b - a * a), f_a = b * b * inverse, f_b = -a * a * inverse;
    T const p_a = f_a * f_a * (T(1) + T(2) * f_b), p_b = f_b * f_b * (T(1) + T(2) * f_a);
    T const q_a = f_a * f_a * a * T(0.5), q_b = f_b * f_b * b * T(0.5);
    return radial_functions<T>(
        [&](int n) { return p_a * of_a[n] + q_a * of_a.below(1, n) + (p_b * of_b[n] + q_b * of_b.below(1, n)); });
}
/// With one decay it is Σ_k a^{2k} y_{-k}/(2^k k!), k < 4.
template <class T> RadialFunctions<T> mutual_penetration_of_equal(DecayingFunctions<T, 3> const& decay, T const& a) {
    T const one = a * T(1.0 / 2), two = a * T(1.0 / 8), three = a * T(1.0 / 48);
    return radial_functions<T>([&](int n) {
        return decay[n] + one * decay.below(1, n) + two * decay.below(2, n) + three * decay.below(3, n);
    });
}
template <class T>
RadialFunctions<T> mutual_penetration_of_close(CloseDecays<T> const& close, T const& a, T const& b, T const& r) {
    T const c = close.mean(a, b), rest = T(1) - close.epsilon;
    DecayingFunctions<T, 15> const decay(c, r);
    RadialFunctions<T> result = radial_functions<T>([&](int n) { return decay[n]; });
    // The weights of all j sum to 1; those of terms k ≥ 4 + 2j are missing.
    T weight = T(1), term = rest * rest;
    for (int k = 1, j = 0; k < 2 + 2 * close.terms; ++k) {
        if (k >= 4 && k % 2 == 0) weight -= term * T(j + 1), term = term * close.epsilon, ++j;
        T const factor = weight * c * T(inverse_double_factorial(k));
        for (std::size_t n = 0; n < 6; ++n) result.b[n] += factor * decay.below(k, static_cast<int>(n));
    }
    return result;
}

}  // namespace detail

/// What penetration takes from 1/r between electrons of decays a and b.
template <class T> RadialFunctions<T> mutual_penetration(T const& a, T const& b, T const& r) {
    if (a == b) return detail::mutual_penetration_of_equal(DecayingFunctions<T, 3>(a, r), a);
    if (detail::CloseDecays<T> const close(a, b); close.is_close)
        return detail::mutual_penetration_of_close(close, a, b, r);
    return detail::mutual_penetration_of_different(DecayingFunctions<T>(a, r), a, DecayingFunctions<T>(b, r), b);
}

/// What penetration takes from 1/r between nuclei and electrons of two particles.
template <class T> struct Penetrations {
    RadialFunctions<T> first;   ///< electrons of the first particle, nucleus of the second
    RadialFunctions<T> second;  ///< the reverse
    RadialFunctions<T> both;    ///< electrons of both
};
/// For decays a and b.
template <class T> Penetrations<T> penetrations(T const& a, T const& b, T const& r) {
    if (a == b) {
        DecayingFunctions<T, 3> const decay(a, r);
        auto const one = penetration(decay, a);
        return {one, one, detail::mutual_penetration_of_equal(decay, a)};
    }
    DecayingFunctions<T> const of_a(a, r), of_b(b, r);
    detail::CloseDecays<T> const close(a, b);
    return {penetration(of_a, a), penetration(of_b, b),
            close.is_close ? detail::mutual_penetration_of_close(close, a, b, r)
                           : detail::mutual_penetration_of_different(of_a, a, of_b, b)};
}

/// The overlap S of two orbitals is `scale`^½ times a function.
template <class T> struct Overlap {
    RadialFunctions<T> function;
    T scale;

    /// S² and its derivatives.
    RadialFunctions<T> square() const {
        auto const& s = function.b;
        T const two = T(2) * scale;
        return {{scale * s[0] * s[0], two * s[0] * s[1], two * (s[0] * s[2] + s[1] * s[1]),
                 two * (s[0] * s[3] + T(3) * s[1] * s[2]),
                 two * (s[0] * s[4] + T(4) * s[1] * s[3] + T(3) * s[2] * s[2]),
                 two * (s[0] * s[5] + T(5) * s[1] * s[4] + T(10) * s[2] * s[3])}};
    }
};

namespace detail {

template <class T> Overlap<T> overlap_of_equal(T const& a, T const& r) {
    DecayingFunctions<T, 3> const decay(a, r);
    return {radial_functions<T>([&](int n) { return decay.below(3, n); }), T(64.0 / 9)};
}
// S is 8 a⁵ y_{-3}/3 for one decay; its transform is proportional to 1/((a²+k²)²(b²+k²)²).
template <class T> Overlap<T> overlap_of_close(CloseDecays<T> const& close, T const& a, T const& b, T const& r) {
    using std::sqrt;
    DecayingFunctions<T, 15> const decay(close.mean(a, b), r);
    T const rest = T(1) - close.epsilon;
    Overlap<T> overlap{{}, T(64.0 / 9) * rest * rest * sqrt(rest)};
    T term = T(1);
    for (int k = 3, j = 0; j < close.terms; k += 2, ++j, term = term * close.epsilon) {
        T const factor = term * T((j + 1) * 48 * inverse_double_factorial(k));
        for (std::size_t n = 0; n < 6; ++n) overlap.function.b[n] += factor * decay.below(k, static_cast<int>(n));
    }
    return overlap;
}
template <class T> Overlap<T> overlap_of_different(T const& a, T const& b, T const& r) {
    DecayingFunctions<T> const of_a(a, r), of_b(b, r);
    T const q = T(1) / (a * a - b * b), ab = a * b * q, t = T(4) * ab;
    return {radial_functions<T>(
                [&](int n) { return b * of_a.below(1, n) + a * of_b.below(1, n) + t * (of_a[n] - of_b[n]); }),
            T(4096) * ab * ab * ab * q};
}

}  // namespace detail

/// S², which multiplies 1/r in Pauli repulsion: S is 8 times the overlap of the normalized orbitals with decays a/2 and
/// b/2 (J. A. Rackers, J. W. Ponder, J. Chem. Phys. 150, 084104 (2019)).
template <class T> RadialFunctions<T> squared_overlap(T a, T b, T const& r) {
    a = a * T(0.5), b = b * T(0.5);
    if (a == b) return detail::overlap_of_equal(a, r).square();
    if (detail::CloseDecays<T> const close(a, b); close.is_close)
        return detail::overlap_of_close(close, a, b, r).square();
    return detail::overlap_of_different(a, b, r).square();
}

}  // namespace trotter::amoeba
