// Normal modes of a ring, and contractions, against their definitions.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

#include <trotter/rpmd/matrix.hpp>
#include <trotter/units.hpp>

using namespace trotter;
using namespace trotter::rpmd;

namespace {

double product(Matrix const& a, std::size_t row_of_a, Matrix const& b, std::size_t row_of_b) {
    double sum = 0;
    for (std::size_t column = 0; column < a.columns; ++column) sum += a(row_of_a, column) * b(row_of_b, column);
    return sum;
}
/// Values of a function of the place on the ring, 0 to 1.
template <class Function> std::vector<Vec3<>> on_ring(int copies, Function const& function) {
    std::vector<Vec3<>> result;
    for (int k = 0; k < copies; ++k) result.push_back({function(static_cast<double>(k) / copies), 1, 0});
    return result;
}
std::vector<Vec3<>> multiplied(Matrix const& matrix, std::vector<Vec3<>> const& from) {
    std::vector<Vec3<>> result(matrix.rows);
    Threads threads;
    multiply(matrix, from, result, 1, std::vector{0}, threads);
    return result;
}

}  // namespace

TEST_CASE("normal modes are orthonormal and independent under the springs", "[rpmd]") {
    for (int const copies : {1, 2, 3, 4, 7, 12, 31}) {
        auto const modes = normal_modes(copies);
        auto const n = static_cast<std::size_t>(copies);
        Matrix springs{n, n};  // second differences around the ring
        for (std::size_t k = 0; k < n; ++k) {
            springs(k, k) += 2;
            springs(k, (k + 1) % n) -= 1;
            springs(k, (k + n - 1) % n) -= 1;
        }
        double const of_springs = copies * constants::gas_constant * 300 / constants::reduced_planck;
        for (std::size_t row = 0; row < n; ++row) {
            double const frequency = mode_frequency(static_cast<int>(row), copies, 300) / of_springs;
            for (std::size_t other = 0; other < n; ++other)
                CHECK(product(modes, row, modes, other) == Approx(row == other).margin(1e-13));
            for (std::size_t k = 0; k < n; ++k)
                CHECK(product(springs, k, modes, row) == Approx(frequency * frequency * modes(row, k)).margin(1e-13));
        }
    }
}

TEST_CASE("a contraction keeps the long waves", "[rpmd]") {
    double const turn = 2 * std::numbers::pi;
    auto const smooth = [&](double x) {
        return 3 + std::cos(turn * x) - 2 * std::sin(turn * x) + 0.5 * std::cos(2 * turn * x);
    };
    for (int const copies : {5, 6, 12, 17})
        for (int const contracted : {5, 6, 12, 17}) {
            if (contracted > copies) continue;
            auto const found = multiplied(contraction(copies, contracted), on_ring(copies, smooth));
            auto const expected = on_ring(contracted, smooth);
            for (std::size_t k = 0; k < found.size(); ++k) CHECK(norm(found[k] - expected[k]) < 1e-13);
        }
}

TEST_CASE("contractions to one copy, and to all", "[rpmd]") {
    for (int const copies : {1, 2, 5, 8}) {
        auto const mean = contraction(copies, 1), all = contraction(copies, copies);
        for (std::size_t k = 0; k < mean.columns; ++k) {
            CHECK(mean(0, k) == Approx(1.0 / copies));
            for (std::size_t row = 0; row < all.rows; ++row) CHECK(all(row, k) == Approx(row == k).margin(1e-14));
        }
    }
}

TEST_CASE("the shortest wave of an even number of copies has half its amplitude", "[rpmd]") {
    double const turn = 2 * std::numbers::pi;
    auto const found = multiplied(
        contraction(12, 4), on_ring(12, [&](double x) { return std::cos(2 * turn * x) + std::sin(2 * turn * x); }));
    for (std::size_t k = 0; k < 4; ++k) CHECK(found[k].x == Approx(k % 2 == 0 ? 0.5 : -0.5));
}

TEST_CASE("matrices act on the listed particles, with the same bits for any number of threads", "[rpmd]") {
    constexpr std::size_t particles = 1000;
    auto const matrix = contraction(6, 4);
    std::vector<Vec3<>> from;
    for (std::size_t n = 0; n < 6 * particles; ++n) {
        double const x = static_cast<double>(n);
        from.push_back({std::sin(x), std::cos(x), std::sin(2 * x)});
    }
    std::vector<int> listed(particles - 1);
    std::iota(listed.begin(), listed.end(), 1);
    auto const result = [&](int count, bool adds) {
        Threads threads(count);
        std::vector<Vec3<>> to(4 * particles, {1, 2, 3});
        multiply(matrix, from, to, particles, listed, threads, adds);
        return to;
    };
    auto const serial = result(1, false);
    CHECK(serial == result(2, false));
    CHECK(serial[particles] == Vec3<>{1, 2, 3});
    auto const added = result(2, true);
    for (std::size_t const n : {std::size_t{1}, particles + 5, 4 * particles - 1})
        CHECK(norm(added[n] - serial[n] - Vec3<>{1, 2, 3}) < 1e-14);
    CHECK(norm(serial[2 * particles + 7]
               - multiplied(matrix, {from[7], from[1007], from[2007], from[3007], from[4007], from[5007]})[2])
          < 1e-14);
    auto const back = matrix.transposed(1.5);
    CHECK((back.rows == 6 && back.columns == 4));
    CHECK(back(5, 3) == 1.5 * matrix(3, 5));
}
