// Means of correlated series and their errors.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace trotter::app {

/// Mean of the values; 0 for none.
double mean_of(std::span<double const> values);

/// How many values in a row are worth one that is independent: g = 1 + 2 sum (1 - t/n) C(t) up to the first lag behind 3
/// at which the correlation C is not positive; at least 1. For a constant series 1. Source: Chodera et al., J. Chem. Theory
/// Comput. 3, 26 (2007).
double statistical_inefficiency(std::span<double const> values);

/// A mean and what it is worth.
struct Average {
    double mean = 0;          ///< of the values
    double deviation = 0;     ///< standard deviation of the values
    double error = 0;         ///< standard error of the mean, with the statistical inefficiency
    double inefficiency = 1;  ///< statistical inefficiency
};
/// Average of a series.
Average average_of(std::span<double const> values);

/// Standard error of the mean by blocks of a length.
struct BlockError {
    std::size_t length = 1;  ///< values in a block
    std::size_t blocks = 0;  ///< number of blocks
    double error = 0;        ///< of the mean, as if blocks were independent
};
/// Errors for blocks of 1, 2, 4, … values while there are at least four: they grow until blocks are independent. Source:
/// Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989).
std::vector<BlockError> block_errors(std::span<double const> values);

/// A straight line by least squares.
struct Line {
    double intercept = 0;    ///< value at 0
    double slope = 0;        ///< change by unit of x
    double slope_error = 0;  ///< standard error, with the statistical inefficiency of the residuals
};
/// Fits a line to two or more points; a slope of 0 if all x are the same.
Line fit_line(std::span<double const> x, std::span<double const> y);

/// Density of the gamma distribution: x^(k-1) exp(-x/s) / (Gamma(k) s^k).
double gamma_density(double x, double shape, double scale);
/// Its integral from 0 to x.
double gamma_probability(double x, double shape, double scale);

/// Probability that independent values of the gamma distribution are as far from it as these, by the test of Kolmogorov and
/// Smirnov (M. A. Stephens, J. R. Stat. Soc. B 32, 115 (1970)).
double gamma_test(std::vector<double> values, double shape, double scale);

}  // namespace trotter::app
