// SHAKE for a central particle with one, two or three constrained neighbors, such as the hydrogens of a carbon.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

#include <trotter/vec3.hpp>

namespace trotter {

/// Solves A x = b for a few unknowns; A is diagonally dominant and needs no pivoting.
template <class T, std::size_t K> std::array<T, K> solve_small(std::array<std::array<T, K>, K> a, std::array<T, K> b) {
    for (std::size_t k = 0; k < K; ++k) {
        T const inverse = 1.0 / a[k][k];
        for (std::size_t i = k + 1; i < K; ++i) {
            T const factor = a[i][k] * inverse;
            for (std::size_t j = k + 1; j < K; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
        b[k] *= inverse;
        for (std::size_t j = k + 1; j < K; ++j) a[k][j] *= inverse;
    }
    for (std::size_t k = K; k-- > 0;)
        for (std::size_t j = k + 1; j < K; ++j) b[k] -= a[k][j] * b[j];
    return b;
}

/// Derivative of the constraint of arm i by multiplier j, along `left`: (w_centre + δ_ij w_j) left_i · right_j.
template <class T, std::size_t K>
std::array<std::array<T, K>, K> star_products(T const& centre_inverse_mass, std::array<T, K> const& end_inverse_masses,
                                              std::array<Vec3<T>, K> const& left, std::array<Vec3<T>, K> const& right) {
    std::array<std::array<T, K>, K> matrix;
    for (std::size_t i = 0; i < K; ++i)
        for (std::size_t j = 0; j < K; ++j) {
            T const mobility = i == j ? centre_inverse_mass + end_inverse_masses[i] : centre_inverse_mass;
            matrix[i][j] = mobility * dot(left[i], right[j]);
        }
    return matrix;
}

/// Masses and distances of a star.
template <class T, std::size_t K> struct Star {
    std::array<T, K> distances{}, end_inverse_masses{};
    T centre_inverse_mass{};
};
/// Vectors from the centre to each end.
template <class T, std::size_t K> using Arms = std::array<Vec3<T>, K>;

/// Moves the arms by the multipliers along `directions`.
template <class T, std::size_t K> Arms<T, K> pushed(Star<T, K> const& star, Arms<T, K> arms,
                                                    std::array<T, K> const& multipliers, Arms<T, K> const& directions) {
    Vec3<T> sum{};
    for (std::size_t i = 0; i < K; ++i) {
        sum += multipliers[i] * directions[i];
        arms[i] += (star.end_inverse_masses[i] * multipliers[i]) * directions[i];
    }
    for (auto& arm : arms) arm += star.centre_inverse_mass * sum;
    return arms;
}

/// Scalar counterpart of the SIMD function.
inline bool all_at_most(double a, double b) { return a <= b; }

/// Result of the iterations: `unsatisfied` is the first arm not within the tolerance, or K.
template <class T, std::size_t K> struct StarSolution {
    std::array<T, K> multipliers{};
    Arms<T, K> arms;
    int iterations = 0;
    std::size_t unsatisfied = K;
};

/// SHAKE's equations (Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)), solved by Newton's method for
/// all constraints of a star together (M-SHAKE; Kräutler, van Gunsteren & Hünenberger, J. Comput. Chem. 22, 501
/// (2001)).
template <class T, std::size_t K> StarSolution<T, K> solve_star(Star<T, K> const& star, Arms<T, K> const& directions,
                                                                Arms<T, K> const& unconstrained, double tolerance) {
    using std::abs;
    constexpr int max_iterations = 60;
    StarSolution<T, K> result{.arms = unconstrained};
    for (;; ++result.iterations) {
        std::array<T, K> excess;
        result.unsatisfied = K;
        bool is_number = true;
        for (std::size_t i = K; i-- > 0;) {
            T const wanted = star.distances[i] * star.distances[i];
            excess[i] = 0.5 * (wanted - dot(result.arms[i], result.arms[i]));
            T const error = abs(excess[i]) / wanted;
            if (!all_at_most(error, tolerance)) result.unsatisfied = i, is_number = all_at_most(error, error);
        }
        if (result.unsatisfied == K || result.iterations == max_iterations || !is_number) return result;
        auto const step = solve_small(
            star_products<T, K>(star.centre_inverse_mass, star.end_inverse_masses, result.arms, directions), excess);
        for (std::size_t i = 0; i < K; ++i) result.multipliers[i] += step[i];
        result.arms = pushed(star, unconstrained, result.multipliers, directions);
    }
}

}  // namespace trotter
