// The numbers under the pair loops: square roots, polynomials, transforms.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <trotter/cpu/fft.hpp>
#include <trotter/cpu/pack_functions.hpp>
#include <trotter/host/polynomial.hpp>

using namespace trotter;
using namespace trotter::cpu;

TEMPLATE_TEST_CASE("inverse square roots are good to about a unit in the last place", "[cpu]", float, double) {
    using T = Pack<TestType, xsimd::default_arch, 1>;
    double const unit = std::numeric_limits<TestType>::epsilon();
    double largest = 0;
    for (int n = 0; n < 20000; ++n) {
        auto const x = static_cast<TestType>(1e-4 * std::pow(1.0012, n));
        double const y = inverse_sqrt(T(x)).parts[0].get(0);
        largest = std::max(largest, std::abs(y * std::sqrt(static_cast<double>(x)) - 1));
    }
    CHECK(largest < 2 * unit);
}

TEMPLATE_TEST_CASE("what is rounded to 0 keeps its sign", "[cpu]", float, double) {
    using T = Pack<TestType, xsimd::default_arch, 1>;
    for (double const x : {-2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.5}) {
        double const up = ceil(T(static_cast<TestType>(x))).parts[0].get(0),
                     down = floor(T(static_cast<TestType>(x))).parts[0].get(0);
        INFO(x);
        CHECK(up == std::ceil(x));
        CHECK(std::signbit(up) == std::signbit(std::ceil(x)));
        CHECK(down == std::floor(x));
        CHECK(std::signbit(down) == std::signbit(std::floor(x)));
    }
}

TEST_CASE("polynomials hold an energy and its slope over r", "[cpu]") {
    double const alpha = 2.92, cutoff = 0.9;
    auto const fit = fitted<double>(
        [&](double r2) {
            return r2 > 0 ? std::erf(alpha * std::sqrt(r2)) / std::sqrt(r2) : 2 * alpha * std::numbers::inv_sqrtpi;
        },
        cutoff, 1e-13 / cutoff);
    auto value = [&](Polynomial<double> const& p, double r) {
        double const x = 2 * r * r / (cutoff * cutoff) - 1;
        double sum = 0;
        for (int n = p.degree; n >= 0; --n) sum = sum * x + p.c[static_cast<std::size_t>(n)];
        return sum;
    };
    for (double r = 0.02; r < cutoff; r += 0.01) {
        double const energy = std::erf(alpha * r) / r;
        double const force =
            (energy - 2 * alpha * std::numbers::inv_sqrtpi * std::exp(-alpha * alpha * r * r)) / (r * r);
        CHECK(value(fit.energy, r) == Approx(energy).epsilon(1e-12));
        CHECK(value(fit.force_over_r, r) == Approx(force).epsilon(1e-11).margin(1e-11));
    }
}

TEST_CASE("transforms in pieces are transforms, of lengths with large prime factors too", "[cpu]") {
    auto const size =
        GENERATE(std::array{5, 6, 7}, std::array{17, 6, 38}, std::array{8, 34, 7}, std::array{6, 8, 19},
                 std::array{27, 22, 16}, std::array{16, 32, 100}, std::array{64, 10, 101}, std::array{12, 6, 7});
    int const nx = size[0], ny = size[1], nz = size[2];
    CAPTURE(nx, ny, nz);
    MeshTransform<xsimd::default_arch, double> const transform(nx, ny, nz);
    std::size_t const reals = static_cast<std::size_t>(nx * ny * transform.row()),
                      numbers = static_cast<std::size_t>(nx * ny * transform.split_row());
    Aligned<double> real(reals), memory(numbers);
    auto at = [&](int x, int y, int z) -> double& {
        return real[static_cast<std::size_t>((x * ny + y) * transform.row() + z)];
    };
    auto given = [](int x, int y, int z) { return std::sin(1.0 + x * 3 + y * 7 + z * z); };
    for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z) at(x, y, z) = given(x, y, z);
    auto row = [&](int x, int y) { return memory.data() + (x * ny + y) * transform.split_row(); };
    for (int x = 0; x < nx; ++x) transform.forward_plane(&at(x, 0, 0), row(x, 0));
    std::complex<double> expected = 0;
    for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z)
                expected += given(x, y, z)
                            * std::polar(1.0, -2 * std::numbers::pi * (2.0 * x / nx + 5.0 * y / ny + 3.0 * z / nz));
    for (int y = 0; y < ny; ++y)
        transform.change_lines(row(0, y), [&](double const* lines) {
            double const* const re = lines + 2 * transform.split_row() + 3;
            if (y == 5) CHECK(std::abs(std::complex(re[0], re[transform.columns()]) - expected) < 1e-11);
        });
    for (int x = 0; x < nx; ++x) transform.backward_plane(row(x, 0), &at(x, 0, 0));
    CHECK(at(3, 4, 6) == Approx(given(3, 4, 6) * nx * ny * nz).epsilon(1e-13));
}
