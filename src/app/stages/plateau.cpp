// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <trotter/app/stages/plateau.hpp>
#include <trotter/error.hpp>

namespace trotter::app {
namespace {

using Series = std::span<double const>;

constexpr double same_density = 0.01;   // [g/ml]
constexpr double most_deviation = 0.5;  // chi_squared
constexpr double flat_slope = 1e-6;     // [g/ml/ps]

double mean_of(Series values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The fit's unknowns are A0, ln A1 and A2: the rate stays positive.
using Unknowns = Eigen::Vector3d;

struct Equations {
    Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();      // J^T J
    Eigen::Vector3d residual = Eigen::Vector3d::Zero();  // J^T (ρ − fit)
    double chi_squared = 0;
};

Equations equations_at(Unknowns const& unknowns, Series times, Series densities) {
    Equations result;
    double const rate = std::exp(unknowns[1]);
    for (std::size_t n = 0; n < times.size(); ++n) {
        double const decay = std::exp(-rate * times[n]);
        double const difference = densities[n] - (unknowns[2] + (unknowns[0] - unknowns[2]) * decay);
        Eigen::Vector3d const slopes(decay, -(unknowns[0] - unknowns[2]) * decay * rate * times[n], 1 - decay);
        result.matrix += slopes * slopes.transpose();
        result.residual += slopes * difference;
        result.chi_squared += difference * difference;
    }
    return result;
}

RelaxationFit fit_from(Unknowns unknowns, Series times, Series densities) {
    constexpr int most_iterations = 500;
    constexpr double tolerance = 1e-5;
    double damping = 1e-3;
    auto present = equations_at(unknowns, times, densities);
    for (int iteration = 0; iteration < most_iterations && damping < 1e12; ++iteration) {
        Eigen::Matrix3d damped = present.matrix;
        damped.diagonal() *= 1 + damping;
        damped.diagonal().array() += 1e-12;
        Unknowns const next = unknowns + damped.ldlt().solve(present.residual);
        bool const is_possible = next.allFinite() && std::abs(next[1]) < 50;
        auto const attempt = is_possible ? equations_at(next, times, densities) : present;
        if (!is_possible || !(attempt.chi_squared < present.chi_squared)) {
            damping *= 10;
            continue;
        }
        double const gain = present.chi_squared - attempt.chi_squared;
        unknowns = next;
        damping /= 10;
        bool const is_done = gain < tolerance * 1e-3 * attempt.chi_squared;
        present = attempt;
        if (is_done) break;
    }
    return {unknowns[0], std::exp(unknowns[1]), unknowns[2], present.chi_squared};
}

void check(Series times, Series densities) {
    if (times.size() != densities.size() || times.size() < 20)
        throw InputError(fmt::format("a series of {} times and {} densities is too short to be judged, expected 20 or "
                                     "more of each", times.size(), densities.size()));
    for (std::size_t n = 0; n < times.size(); ++n)
        if (!std::isfinite(times[n]) || !std::isfinite(densities[n]) || times[n] < 0
            || (n > 0 && times[n] <= times[n - 1]))
            throw InputError(fmt::format("point {} of the densities is {} g/ml at {} ps, expected finite numbers at "
                                         "times that increase", n, densities[n], times[n]));
}

// A straight line through the means of ten blocks, which are independent if a block is longer than correlations last.
struct Trend {
    double slope = 0, error = 0;  // [g/ml/ps]
    double spread = 0;            // largest difference of two means [g/ml]
    double mean_error = 0;        // of the mean of all [g/ml]

    bool is_significant() const { return std::abs(slope) > 3 * error; }
};

Trend trend_of(Series times, Series densities) {
    constexpr std::size_t blocks = 10;
    std::array<double, blocks> x{}, y{};
    for (std::size_t n = 0; n < blocks; ++n) {
        auto const begin = n * times.size() / blocks, count = (n + 1) * times.size() / blocks - begin;
        x[n] = mean_of(times.subspan(begin, count));
        y[n] = mean_of(densities.subspan(begin, count));
    }
    double const mean_x = mean_of(x), mean_y = mean_of(y);
    double xx = 0, xy = 0, yy = 0;
    for (std::size_t n = 0; n < blocks; ++n) {
        xx += (x[n] - mean_x) * (x[n] - mean_x);
        xy += (x[n] - mean_x) * (y[n] - mean_y);
        yy += (y[n] - mean_y) * (y[n] - mean_y);
    }
    Trend trend{.slope = xy / xx};
    trend.error = std::sqrt(std::max(0.0, yy - xy * trend.slope) / (blocks - 2) / xx);
    auto const [low, high] = std::minmax_element(y.begin(), y.end());
    trend.spread = *high - *low;
    trend.mean_error = std::sqrt(yy / (blocks - 1) / blocks);
    return trend;
}

std::string verdict(RelaxationFit const& fit, Plateau const& result, double length) {
    double const slope = std::abs(fit.end - fit.start) * fit.rate * std::exp(-fit.rate * length);
    if (!(std::abs(result.mean - fit.end) < same_density))
        return fmt::format("the density relaxes to {:.4f} g/ml, but is {:.4f} g/ml", fit.end, result.mean);
    if (!(fit.chi_squared < most_deviation))
        return fmt::format("the squared deviations from a relaxation add up to {:.3g}", fit.chi_squared);
    if (!(slope < flat_slope)) return fmt::format("the density still changes by {:.2g} g/ml/ps", slope);
    return {};
}

}  // namespace

RelaxationFit fit_relaxation(Series times, Series densities) {
    check(times, densities);
    double const first = mean_of(densities.first(std::max<std::size_t>(1, densities.size() / 100)));
    double const last = mean_of(densities.last(densities.size() / 2));
    RelaxationFit best{.chi_squared = std::numeric_limits<double>::infinity()};
    for (double const rate : {0.1, 3 / times.back(), 0.3 / times.back()})
        if (auto const fit = fit_from({first, std::log(rate), last}, times, densities);
            fit.chi_squared < best.chi_squared)
            best = fit;
    return best;
}

Plateau density_plateau(Series times, Series densities) {
    check(times, densities);
    auto const half = times.size() / 2;
    auto const late = trend_of(times.last(half), densities.last(half)), whole = trend_of(times, densities);
    Plateau result{.mean = mean_of(densities.last(half)), .error = late.mean_error};
    if (late.is_significant() && std::abs(late.slope) > flat_slope) {
        result.why = fmt::format("the density of the last half changes by {:.2g} ± {:.2g} g/ml/ps", late.slope, late.error);
    } else if (!whole.is_significant() && whole.spread < same_density) {
        result.is_flat = true;
        result.why = fmt::format("means of ten blocks are within {:.2g} g/ml and have no trend", whole.spread);
    } else {
        result.fit = fit_relaxation(times, densities);
        result.why = verdict(result.fit, result, times.back());
        result.is_flat = result.why.empty();
        if (result.is_flat)
            result.why = fmt::format("the density has relaxed to {:.4f} g/ml at a rate of {:.2g}/ps", result.fit.end,
                                     result.fit.rate);
    }
    return result;
}

}  // namespace trotter::app
