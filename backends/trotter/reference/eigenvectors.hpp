// Eigenvalues and eigenvectors of small symmetric matrices.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace trotter::reference {

template <std::size_t n> using Matrix = std::array<std::array<double, n>, n>;

template <std::size_t n> struct EigenSystem {
    std::array<double, n> values{};
    Matrix<n> vectors{};  ///< row k belongs to values[k]
};

/// By rotations that make one element after the other zero (C. G. J. Jacobi, J. reine angew. Math. 30, 51 (1846)).
/// Descending values.
template <std::size_t n> EigenSystem<n> eigen_system(Matrix<n> a) {
    EigenSystem<n> result;
    auto& v = result.vectors;
    for (std::size_t k = 0; k < n; ++k) v[k][k] = 1;
    auto const rotate = [&](std::size_t p, std::size_t q) {
        if (a[p][q] == 0) return;
        double const ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double const t = std::copysign(1.0, ratio) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1));
        double const c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
            double const x = a[p][k], y = a[q][k];
            a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
            double const x = a[k][p], y = a[k][q];
            a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
            double const x = v[p][k], y = v[q][k];
            v[p][k] = c * x - s * y, v[q][k] = s * x + c * y;
        }
    };
    constexpr int enough_sweeps = 30;  // convergence is quadratic: eight or so are made
    for (int sweep = 0; sweep < enough_sweeps; ++sweep) {
        double off = 0, diagonal = 0;
        for (std::size_t p = 0; p < n; ++p) {
            diagonal += std::abs(a[p][p]);
            for (std::size_t q = p + 1; q < n; ++q) off += std::abs(a[p][q]);
        }
        if (!(off > 1e-18 * diagonal)) break;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) rotate(p, q);
    }
    for (std::size_t k = 0; k < n; ++k) result.values[k] = a[k][k];
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t m = k + 1; m < n; ++m)
            if (result.values[m] > result.values[k])
                std::swap(result.values[k], result.values[m]), std::swap(v[k], v[m]);
    return result;
}

}  // namespace trotter::reference
