// When a density has become flat: series made by formulas, with noise whose correlations last.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include "io/scratch.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <trotter/app/stages/plateau.hpp>
#include <trotter/error.hpp>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

struct Series {
    std::vector<double> times, values;
};

/// 1 ns, one point each 2 ps; noise of this size in a process x ← a x + b ξ whose correlations last `memory` points.
Series series(std::function<double(double)> const& density, double noise, double memory, unsigned seed) {
    Series result;
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    double const a = memory > 0 ? std::exp(-1 / memory) : 0;
    double x = normal(random);
    for (int n = 1; n <= 500; ++n) {
        x = a * x + std::sqrt(1 - a * a) * normal(random);
        result.times.push_back(2.0 * n);
        result.values.push_back(density(2.0 * n) + noise * x);
    }
    return result;
}

int count_flat(std::function<double(double)> const& density, double noise, double memory, int tries = 100) {
    int flat = 0;
    for (int seed = 0; seed < tries; ++seed) {
        auto const one = series(density, noise, memory, static_cast<unsigned>(seed));
        flat += density_plateau(one.times, one.values).is_flat;
    }
    return flat;
}

double constant(double) { return 1.01; }

}  // namespace

TEST_CASE("a relaxation is found by the fit", "[app][plateau]") {
    auto const one = series([](double t) { return 1.02 - 0.1 * std::exp(-0.02 * t); }, 0, 0, 1);
    auto const fit = fit_relaxation(one.times, one.values);
    CHECK(fit.start == Approx(0.92).margin(1e-4));
    CHECK(fit.rate == Approx(0.02).margin(1e-4));
    CHECK(fit.end == Approx(1.02).margin(1e-5));
    CHECK(fit.chi_squared < 1e-8);
}

// 500 points of 128 waters scatter by about 0.01 g/ml, of a protein's box by 0.002; correlations last some ps.
TEST_CASE("a constant series with noise is flat", "[app][plateau]") {
    CHECK(density_plateau(series(constant, 0, 0, 1).times, series(constant, 0, 0, 1).values).is_flat);
    CHECK(count_flat(constant, 0.002, 3) > 90);  // at three standard errors one or two in a hundred go on
    CHECK(count_flat(constant, 0.005, 3) > 80);
}

TEST_CASE("an early relaxation is flat in the end", "[app][plateau]") {
    CHECK(count_flat([](double t) { return 1.01 - 0.08 * std::exp(-t / 30); }, 0.002, 3) > 80);
}

TEST_CASE("a drifting series is never flat", "[app][plateau]") {
    for (double const drift : {1e-4, 5e-5, -5e-5})  // [g/ml/ps]
        CHECK(count_flat([=](double t) { return 1 + drift * t; }, 0.002, 3) == 0);
}

TEST_CASE("a late relaxation is never flat", "[app][plateau]") {
    CHECK(count_flat([](double t) { return 1.01 - 0.1 * std::exp(-t / 400); }, 0.002, 3) == 0);
    CHECK(count_flat([](double t) { return t < 700 ? 0.96 : 1.01; }, 0.002, 3) == 0);
    CHECK(count_flat([](double t) { return 1 + 0.03 / (1 + std::exp((600 - t) / 40)); }, 0.002, 5) == 0);
}

TEST_CASE("the mean of the last half comes with its error", "[app][plateau]") {
    auto const one = series(constant, 0.004, 2, 7);
    auto const plateau = density_plateau(one.times, one.values);
    CHECK(std::abs(plateau.mean - 1.01) < 4 * plateau.error);
    // 250 points, each of about 2·2 correlated: 0.004/√60
    CHECK(plateau.error > 0.0002);
    CHECK(plateau.error < 0.0012);
    CHECK_FALSE(plateau.why.empty());
}

TEST_CASE("series that cannot be judged are refused", "[app][plateau]") {
    std::vector<double> times, values(30, 1);
    for (int n = 0; n < 30; ++n) times.push_back(n);
    CHECK_NOTHROW(density_plateau(times, values));
    std::vector<double> const few(19, 1);
    CHECK_THAT(message_of<InputError>([&] { density_plateau(few, few); }), Contains("is too short to be judged"));
    CHECK_THAT(message_of<InputError>([&] { density_plateau(times, few); }), Contains("30 times and 19 densities"));
    times[7] = 6;
    CHECK_THAT(message_of<InputError>([&] { density_plateau(times, values); }), Contains("point 7 of the densities"));
    times[7] = 7;
    values[3] = std::nan("");
    CHECK_THAT(message_of<InputError>([&] { fit_relaxation(times, values); }), Contains("point 3 of the densities is nan"));
}
