// Minimizes an energy that is quadratic in charges.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include <trotter/error.hpp>

#include "linear_algebra.hpp"

namespace trotter::reference {

using Numbers = std::vector<double>;

inline double inner_product(Numbers const& a, Numbers const& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double sum_of(Numbers const& a) { return std::accumulate(a.begin(), a.end(), 0.0); }

/// Find q with A q = -c, or, if the sum of q is given, A q = -c + lambda for some lambda, for a positive definite
/// matrix A.
struct ChargeProblem {
    Numbers slopes;             ///< c
    std::optional<double> sum;  ///< of q, if given
};

inline SimulationError not_positive_definite() {
    return SimulationError(
        "the matrix of the electrodes is not positive definite: their particles are too near to each other for their "
        "widths");
}

/// Conjugate gradients, started from equal charges, so that the result has no history. `apply(p)` returns A p;
/// `diagonal` is an estimate of A's diagonal, the preconditioner. Ends when the root mean square of the gradient,
/// projected on the constraint if there is one, is at most `tolerance`. Throws SimulationError if it does not converge.
template <class Apply> Numbers conjugate_gradient_charges(ChargeProblem const& problem, Numbers const& diagonal,
                                                          double tolerance, Apply const& apply) {
    auto const count = problem.slopes.size();
    double const size = static_cast<double>(count);
    double inverse_trace = 0;
    for (double const d : diagonal) inverse_trace += 1 / d;
    auto const without_mean = [&](Numbers gradient) {
        double const mean = problem.sum ? sum_of(gradient) / size : 0;
        for (double& g : gradient) g -= mean;
        return gradient;
    };
    // Projects preconditioned gradients and directions to zero sum, in every iteration, or rounding errors grow.
    auto const keep_sum = [&](Numbers& gradient, Numbers& direction) {
        if (!problem.sum) return;
        double weighted = 0;
        for (std::size_t n = 0; n < count; ++n) weighted += gradient[n] / diagonal[n];
        double const shift = weighted / inverse_trace, excess = sum_of(direction) / inverse_trace;
        for (std::size_t n = 0; n < count; ++n) {
            gradient[n] -= shift;
            direction[n] -= excess / diagonal[n];
        }
    };
    Numbers charges(count, problem.sum ? *problem.sum / size : 0), direction(count, 0.0);
    auto gradient = apply(charges);
    for (std::size_t n = 0; n < count; ++n) gradient[n] += problem.slopes[n];
    double before = 1;
    for (std::size_t iteration = 0; iteration < 2 * count + 100; ++iteration) {
        auto const along = without_mean(gradient);
        if (double const square = inner_product(along, along); !(square > tolerance * tolerance * size)) {
            if (std::isfinite(square)) return charges;
            break;
        }
        keep_sum(gradient, direction);
        double now = 0;
        for (std::size_t n = 0; n < count; ++n) now += gradient[n] * gradient[n] / diagonal[n];
        for (std::size_t n = 0; n < count; ++n)
            direction[n] = (iteration == 0 ? 0 : now / before) * direction[n] - gradient[n] / diagonal[n];
        before = now;
        auto const change = apply(direction);
        double const curvature = inner_product(direction, change), length = now / curvature;
        if (curvature < 0) throw not_positive_definite();
        for (std::size_t n = 0; n < count; ++n) {
            charges[n] += length * direction[n];
            gradient[n] += length * change[n];
        }
    }
    throw SimulationError("the charges of the electrodes have not converged by conjugate gradients");
}

/// Solves it with a factorized matrix.
inline Numbers charges_by_matrix(ChargeProblem const& problem, CholeskyFactor const& matrix) {
    auto charges = matrix.solve(problem.slopes);
    for (double& q : charges) q = -q;
    if (!problem.sum) return charges;
    auto const response = matrix.solve(Numbers(charges.size(), 1));
    double const lambda = (*problem.sum - sum_of(charges)) / sum_of(response);
    for (std::size_t n = 0; n < charges.size(); ++n) charges[n] += lambda * response[n];
    return charges;
}

}  // namespace trotter::reference
