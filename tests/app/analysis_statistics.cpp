// Statistics of series, displacements and diffusion, and logs.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <random>
#include <trotter/app/analysis/log_table.hpp>
#include <trotter/app/analysis/mean_square_displacement.hpp>
#include <trotter/app/analysis/statistics.hpp>
#include <trotter/error.hpp>

#include "app/analysis_text.hpp"
#include "catch_compat.hpp"

using namespace trotter;
using namespace trotter::app;
using Catch::Matchers::Contains;

namespace {

/// x(n + 1) = rho x(n) + noise, whose statistical inefficiency is (1 + rho) / (1 - rho).
std::vector<double> autoregressive(double rho, int count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<> noise(0, std::sqrt(1 - rho * rho));
    std::vector<double> values{0};
    while (static_cast<int>(values.size()) < count) values.push_back(rho * values.back() + noise(random));
    return values;
}

Topology argon(int count) {
    Topology topology;
    topology.add_chain("A");
    for (int n = 0; n < count; ++n) {
        topology.add_residue("AR", std::to_string(n));
        topology.add_atom("AR", Element::from_symbol("Ar"));
    }
    return topology;
}

}  // namespace

TEST_CASE("the statistical inefficiency of series with known correlation") {
    REQUIRE(statistical_inefficiency(autoregressive(0, 20000, 1)) == Approx(1).margin(0.3));
    REQUIRE(statistical_inefficiency(autoregressive(0.8, 50000, 2)) == Approx(9).epsilon(0.2));
    REQUIRE(statistical_inefficiency(std::vector<double>(100, 3.)) == 1);
    REQUIRE(statistical_inefficiency(std::vector<double>{}) == 1);
}

TEST_CASE("errors of a mean by inefficiency and by blocks agree") {
    auto const values = autoregressive(0.8, 65536, 3);
    auto const average = average_of(values);
    double const expected = std::sqrt(9. / 65536);  // of a series with variance 1
    REQUIRE(std::abs(average.mean) < 4 * expected);
    REQUIRE(average.deviation == Approx(1).epsilon(0.05));
    REQUIRE(average.error == Approx(expected).epsilon(0.15));
    auto const blocks = block_errors(values);
    REQUIRE(blocks.front().length == 1);
    REQUIRE(blocks.front().error == Approx(1 / 256.).epsilon(0.05));
    REQUIRE(blocks[9].length == 512);
    REQUIRE(blocks[9].blocks == 128);
    REQUIRE(blocks[9].error == Approx(expected).epsilon(0.25));  // four standard errors of one of 128 blocks
    REQUIRE(block_errors(std::vector<double>{1, 2, 3}).empty());
    auto const one = average_of(std::vector<double>{4});
    REQUIRE(one.mean == 4);
    REQUIRE(one.error == 0);
}

TEST_CASE("a line through points") {
    auto const line = fit_line(std::vector<double>{1, 2, 3, 6}, std::vector<double>{5, 7, 9, 15});
    REQUIRE(line.slope == Approx(2));
    REQUIRE(line.intercept == Approx(3));
    REQUIRE(line.slope_error == Approx(0).margin(1e-12));
    REQUIRE(fit_line(std::vector<double>{1, 1}, std::vector<double>{5, 7}).slope == 0);
    std::vector<double> x, y;
    auto const noise = autoregressive(0, 10000, 4);
    for (int n = 0; n < 10000; ++n) {
        x.push_back(n);
        y.push_back(3e-4 * n + noise[static_cast<std::size_t>(n)]);
    }
    auto const noisy = fit_line(x, y);
    double const expected = std::sqrt(12 / 1e12);  // of the slope: 1 / sqrt(sum of squared distances from the mean of x)
    REQUIRE(noisy.slope_error == Approx(expected).epsilon(0.2));
    REQUIRE(std::abs(noisy.slope - 3e-4) < 4 * expected);
}

TEST_CASE("the gamma distribution: closed forms, and its test") {
    for (double const x : {0.1, 1., 4.}) {
        REQUIRE(gamma_density(x, 1, 2) == Approx(std::exp(-x / 2) / 2));
        REQUIRE(gamma_probability(x, 1, 2) == Approx(1 - std::exp(-x / 2)));
        REQUIRE(gamma_probability(x, 3, 1) == Approx(1 - std::exp(-x) * (1 + x + x * x / 2)));
    }
    REQUIRE(gamma_density(-1, 2, 1) == 0);
    REQUIRE(gamma_probability(0, 2, 1) == 0);
    // The two formulas meet.
    REQUIRE(gamma_probability(10050, 9999, 1) == Approx(gamma_probability(10051, 10000, 1)).margin(1e-4));
    std::mt19937 random(5);
    std::gamma_distribution<> of_kinetic_energies(150, 2.5);
    constexpr int samples = 200;
    double sum = 0, too_hot = 0, too_broad = 0;
    for (int sample = 0; sample < samples; ++sample) {
        std::vector<double> values;
        for (int n = 0; n < 500; ++n) values.push_back(of_kinetic_energies(random));
        sum += gamma_test(values, 150, 2.5);
        too_hot += gamma_test(values, 150, 2.6);   // by 4 %
        too_broad += gamma_test(values, 75, 5);
    }
    // Probabilities are uniform: four standard errors of the mean of 200 are 4 / sqrt(12 * 200).
    REQUIRE(std::abs(sum / samples - 0.5) < 0.082);
    REQUIRE(too_hot / samples < 1e-3);
    REQUIRE(too_broad / samples < 1e-3);
    REQUIRE(gamma_test({}, 3, 1) == 1);
}

TEST_CASE("mean square displacements by Fourier transform equal the sum over windows") {
    std::mt19937 random(6);
    std::normal_distribution<> noise(0, 1);
    for (std::size_t const count : {1u, 2u, 5u, 64u, 65u}) {
        std::vector<Vec3<>> path{{1000, -50, 3}};
        while (path.size() < count) path.push_back(path.back() + Vec3<>{noise(random), noise(random), noise(random)});
        auto const result = mean_square_displacement(path);
        REQUIRE(result.size() == count);
        for (std::size_t lag = 0; lag < count; ++lag) {
            double sum = 0;
            for (std::size_t n = 0; n + lag < count; ++n) sum += dot(path[n + lag] - path[n], path[n + lag] - path[n]);
            REQUIRE(result[lag] == Approx(sum / static_cast<double>(count - lag)).margin(1e-9));
        }
    }
}

TEST_CASE("Brownian particles diffuse as they were made to, wrapped into a box") {
    constexpr int particles = 100, steps = 1000;
    constexpr double diffusion_coefficient = 2.3e-3, interval = 0.01;
    Box const box = Box::rectangular(1, 1.2, 0.9);
    Frames const frames("unused", argon(particles));
    std::vector<int> atoms;
    for (int n = 0; n < particles; ++n) atoms.push_back(n);
    MoleculePaths paths(atoms, frames);
    std::mt19937 random(7);
    std::normal_distribution<> noise(0, std::sqrt(2 * diffusion_coefficient * interval));
    std::vector<Vec3<>> positions(particles);
    for (int step = 0; step < steps; ++step) {
        Frame frame;
        frame.index = step;
        frame.time = interval * step;
        frame.box = box;
        frame.positions = positions;
        for (auto& p : frame.positions) p += box.wrapping_shift(p);
        paths.add(frame);
        for (auto& p : positions) p += {noise(random), noise(random), noise(random)};
    }
    REQUIRE(paths.molecule_count() == particles);
    REQUIRE(paths.frame_count() == steps);
    REQUIRE(*paths.mean_volume() == Approx(box.volume()));
    auto const result = diffusion(displacements(paths), paths.interval(), 0.01, 0.1);
    REQUIRE(result.fit_from == Approx(0.1));
    REQUIRE(result.fit_to == Approx(0.99));
    REQUIRE(result.error.value() < 0.1 * diffusion_coefficient);
    REQUIRE(std::abs(result.coefficient - diffusion_coefficient) < 4 * *result.error);
}

TEST_CASE("displacements: unequal times and short fits are refused; the correction for the box") {
    Frames const frames("unused", argon(1));
    MoleculePaths paths({0}, frames);
    Frame frame;
    frame.positions = {{0, 0, 0}};
    for (double const time : {1., 2., 3.}) {
        frame.time = time;
        frame.positions[0].x += 0.1;
        paths.add(frame);
        ++frame.index;
    }
    REQUIRE_FALSE(paths.mean_volume());
    REQUIRE_FALSE(diffusion(displacements(paths), 1, 0, 1).error);
    REQUIRE(diffusion(displacements(paths), 1, 0, 1).coefficient == Approx((0.04 - 0.01) / 6));
    REQUIRE_THROWS_WITH(diffusion(displacements(paths), 1, 0.1, 0.5), Contains("has fewer than two lags between 0.1 and 0.5"));
    frame.time = 3.5;
    REQUIRE_THROWS_WITH(paths.add(frame), Contains("frame 3 is 0.5 ps behind the one before, expected 1 ps"));
    REQUIRE_THROWS_WITH(MoleculePaths({}, frames), Contains("there are no molecules to follow"));
    // In SI units, with Boltzmann's constant: a cube of 3 nm at 300 K and 0.85 mPa s.
    double const expected = 2.837297 * 1.380649e-23 * 300 / (6 * std::numbers::pi * 0.85e-3 * 3e-9) * 1e6;  // m²/s → nm²/ps
    REQUIRE(yeh_hummer_correction(300, 0.85, 27) == Approx(expected));
}

TEST_CASE("a log is read up to its last complete line") {
    TestFolder const folder("log");
    auto const path = folder.write(
        "log.csv", "#\"Progress (%)\",\"Step\",\"Time (ps)\",\"Temperature (K)\",\"Time Remaining\"\n"
                   "10.0%,1000,4.0,299.5,--\n20.0%,2000,8.0,nan,1:30\n30.0%,3000,12.0,30");
    auto const log = read_log(path);
    REQUIRE(log.rows == 2);
    REQUIRE(log.is_cut);
    REQUIRE(log.column("Progress (%)") == std::vector<double>{10, 20});
    REQUIRE(log.column(log_titles::time) == std::vector<double>{4, 8});
    REQUIRE(log.column(log_titles::temperature)[0] == 299.5);
    REQUIRE(std::isnan(log.column(log_titles::temperature)[1]));
    REQUIRE(log.column("Elapsed").empty());
    REQUIRE(log.stages.empty());

    auto const joined = read_log(folder.write("joined.csv", "Stage,\"Time (ps)\"\r\n\"one, two\",1\r\nthree,2\r\nfour\r\n"));
    REQUIRE(joined.stages == std::vector<std::string>{"one, two", "three"});
    REQUIRE(joined.column(log_titles::time) == std::vector<double>{1, 2});
    REQUIRE(joined.is_cut);

    REQUIRE_THROWS_WITH(read_log(folder.write("empty.csv", "")), Contains("has no column \"Time (ps)\", expected the titles of a log"));
    REQUIRE_THROWS_WITH(read_log(folder.write("cut.csv", "#\"Progress (%)\",\"Step\",\"Time (ps)")), Contains("line 1"));
    REQUIRE_THROWS_AS(read_log((folder.path() / "nothing.csv").string()), InputError);
}
