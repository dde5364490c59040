// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/statistics.hpp>

#include <algorithm>
#include <cmath>

#include "app/analysis/autocorrelation.hpp"

// Renames Eigen's namespace: see superposition.cpp.
#define Eigen trotter_eigen
#include <unsupported/Eigen/SpecialFunctions>

namespace trotter::app {
namespace {

double variance_of(std::span<double const> values, double mean) {
    double sum = 0;
    for (double const value : values) sum += (value - mean) * (value - mean);
    return sum;
}

/// Probability that the largest distance of a sample's distribution function exceeds `distance`.
double kolmogorov_probability(double distance, std::size_t count) {
    double const root = std::sqrt(static_cast<double>(count));
    double const lambda = (root + 0.12 + 0.11 / root) * distance;
    if (lambda < 0.2) return 1;
    double sum = 0;
    for (int n = 1; n <= 100; ++n) sum += (n % 2 == 1 ? 2 : -2) * std::exp(-2. * n * n * lambda * lambda);
    return std::clamp(sum, 0., 1.);
}

}  // namespace

double mean_of(std::span<double const> values) {
    double sum = 0;
    for (double const value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double statistical_inefficiency(std::span<double const> values) {
    auto const count = values.size();
    double const mean = mean_of(values), variance = variance_of(values, mean) / static_cast<double>(count);
    if (count < 3 || !(variance > 0)) return 1;
    std::vector<double> deviations;
    for (double const value : values) deviations.push_back(value - mean);
    auto const products = autocorrelation(deviations);
    double g = 1;
    for (std::size_t lag = 1; lag + 1 < count; ++lag) {
        auto const windows = static_cast<double>(count - lag);
        double const correlation = products[lag] / (variance * windows);
        if (correlation <= 0 && lag > 3) break;
        g += 2 * correlation * windows / static_cast<double>(count);
    }
    return std::max(g, 1.);
}

Average average_of(std::span<double const> values) {
    Average result;
    result.mean = mean_of(values);
    if (values.size() < 2) return result;
    auto const count = static_cast<double>(values.size());
    result.deviation = std::sqrt(variance_of(values, result.mean) / (count - 1));
    result.inefficiency = statistical_inefficiency(values);
    result.error = result.deviation * std::sqrt(result.inefficiency / count);
    return result;
}

std::vector<BlockError> block_errors(std::span<double const> values) {
    std::vector<BlockError> result;
    std::vector<double> means(values.begin(), values.end());
    for (std::size_t length = 1; means.size() >= 4; length *= 2) {
        auto const count = static_cast<double>(means.size());
        double const variance = variance_of(means, mean_of(means)) / (count - 1);
        result.push_back({length, means.size(), std::sqrt(variance / count)});
        for (std::size_t n = 0; n < means.size() / 2; ++n) means[n] = (means[2 * n] + means[2 * n + 1]) / 2;
        means.resize(means.size() / 2);
    }
    return result;
}

Line fit_line(std::span<double const> x, std::span<double const> y) {
    double const x_mean = mean_of(x), y_mean = mean_of(y), x_variance = variance_of(x, x_mean);
    double covariance = 0;
    for (std::size_t n = 0; n < x.size(); ++n) covariance += (x[n] - x_mean) * (y[n] - y_mean);
    Line line;
    line.slope = x_variance > 0 ? covariance / x_variance : 0;
    line.intercept = y_mean - line.slope * x_mean;
    if (x.size() < 3 || !(x_variance > 0)) return line;
    std::vector<double> rest;
    for (std::size_t n = 0; n < x.size(); ++n) rest.push_back(y[n] - line.intercept - line.slope * x[n]);
    double const variance = variance_of(rest, 0) / static_cast<double>(x.size() - 2);
    line.slope_error = std::sqrt(statistical_inefficiency(rest) * variance / x_variance);
    return line;
}

double gamma_density(double x, double shape, double scale) {
    return x <= 0 ? 0 : std::exp((shape - 1) * std::log(x / scale) - x / scale - std::lgamma(shape)) / scale;
}

double gamma_probability(double x, double shape, double scale) {
    if (x <= 0) return 0;
    constexpr double longest_series = 1e4;
    if (shape < longest_series) return Eigen::numext::igamma(shape, x / scale);
    // The cube root is nearly normal: E. B. Wilson and M. M. Hilferty, Proc. Natl. Acad. Sci. 17, 684 (1931).
    double const width = 1 / (9 * shape);
    return std::erfc((1 - width - std::cbrt(x / (scale * shape))) / std::sqrt(2 * width)) / 2;
}

double gamma_test(std::vector<double> values, double shape, double scale) {
    if (values.empty()) return 1;
    std::sort(values.begin(), values.end());
    auto const count = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
        double const expected = gamma_probability(values[n], shape, scale), below = static_cast<double>(n) / count;
        distance = std::max({distance, expected - below, below + 1 / count - expected});
    }
    return kolmogorov_probability(distance, values.size());
}

}  // namespace trotter::app
