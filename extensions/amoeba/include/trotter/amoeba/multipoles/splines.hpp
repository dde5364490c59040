// B-splines with derivatives up to third order, for multipoles on a mesh.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <trotter/parts/mesh/particle_mesh.hpp>

namespace trotter::amoeba {

/// Weights of mesh points n … n+4 for a site at n + w, and their derivatives by w: element [k][j] is the k-th
/// derivative of M_5(w + 4 - j).
template <class T> struct SplineDerivatives { std::array<std::array<T, spline_order>, 4> order{}; };

/// M_n(u) = (u M_{n-1}(u) + (n-u) M_{n-1}(u-1))/(n-1) and M_n'(u) = M_{n-1}(u) - M_{n-1}(u-1) (U. Essmann et al., J.
/// Chem. Phys. 103, 8577 (1995), eqs. 4.1 and 4.2): the k-th derivative is a k-th difference of splines of order 5 - k.
template <class T> SplineDerivatives<T> spline_derivatives(T const& w) {
    SplineDerivatives<T> result;
    std::array<T, spline_order> m{T(1) - w, w};
    auto number = [](std::size_t n) { return static_cast<T>(static_cast<int>(n)); };
    for (std::size_t n = 2;; ++n) {
        auto& kept = result.order[spline_order - n];
        kept = m;
        for (std::size_t length = n; length < spline_order; ++length) {  // differences
            for (std::size_t j = length; j > 0; --j) kept[j] = kept[j - 1] - kept[j];
            kept[0] = -kept[0];
        }
        if (n == spline_order) return result;
        T const inverse = T(1) / number(n);
        for (std::size_t j = n; j > 0; --j)
            m[j] = ((w + number(n - j)) * m[j - 1] + (number(j + 1) - w) * m[j]) * inverse;
        m[0] = (T(1) - w) * m[0] * inverse;
    }
}

/// Factors by which squared structure factors are divided: those of `spline_moduli`, corrected for the error of
/// interpolation by (Σ_j t_j^10 / Σ_j t_j^5)², t_j = x/(x + pi j) with x = pi m/size, as in Tinker and OpenMM.
inline std::vector<double> corrected_spline_moduli(int size) {
    constexpr int terms = 50, order = static_cast<int>(spline_order);
    auto result = spline_moduli(size);
    for (int m = 1; m < size; ++m) {
        double const x = std::numbers::pi * (m < size / 2 ? m : m - size) / size;  // of odd sizes this is theirs, too
        double sum = 1, squares = 1;
        for (int sign : {1, -1})
            for (int j = 1; j <= terms; ++j) {
                double const power = std::pow(x / (x + sign * std::numbers::pi * j), order);
                sum += power, squares += power * power;
            }
        result[static_cast<std::size_t>(m)] *= squares * squares / (sum * sum);
    }
    return result;
}

}  // namespace trotter::amoeba
