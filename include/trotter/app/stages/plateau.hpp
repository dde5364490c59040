// Whether a density has become constant.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

namespace trotter::app {

/// The relaxation ρ(t) = A0 + (A2 − A0)(1 − exp(−A1 t)), fitted to a series.
struct RelaxationFit {
    double start = 0;        ///< A0 [g/ml]
    double rate = 0;         ///< A1 [1/ps]
    double end = 0;          ///< A2 [g/ml]
    double chi_squared = 0;  ///< sum of squared deviations [(g/ml)²]
};

/// Whether a series is flat, and what shows it.
struct Plateau {
    bool is_flat = false;  ///< whether the density has stopped changing
    std::string why{};     ///< one sentence
    double mean = 0;       ///< of the last half [g/ml]
    double error = 0;      ///< standard error of it, from means of blocks [g/ml]
    RelaxationFit fit{};   ///< all 0 if a constant describes the series
};

/// Fits a relaxation by Levenberg and Marquardt's method, from a start at the mean of the first hundredth, that of the
/// last half, and rates of 0.1/ps and of the inverse length; the better one counts. Times [ps] begin at 0 or later and
/// increase. Throws InputError for fewer than 20 points, or other than finite numbers.
RelaxationFit fit_relaxation(std::span<double const> times, std::span<double const> densities);

/// The test of D. R. Roe and B. R. Brooks, J. Chem. Phys. 153, 054123 (2020), as cpptraj documents it for `evalplateau`:
/// flat if the mean of the last half is within 0.01 g/ml of A2, chi_squared is below 0.5, and the slope of the fit falls
/// below 1e-6 g/ml/ps. A series that a constant describes makes the fit degenerate (A0 = A2): it is flat if the means of
/// ten blocks are within 0.01 g/ml of one another and have no trend beyond three standard errors. A trend of the last
/// half beyond that is never flat. Throws as fit_relaxation() does.
Plateau density_plateau(std::span<double const> times, std::span<double const> densities);

}  // namespace trotter::app
