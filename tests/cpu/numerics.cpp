// Numerics of the pair loops and meshes: square roots, polynomials, transforms.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "largest_difference.hpp"
#include "systems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include <trotter/common/formulas/polynomial.hpp>
#include <trotter/cpu/mesh/fft.hpp>
#include <trotter/cpu/simd/pack_functions.hpp>

using namespace trotter;
using namespace trotter::cpu;

#if defined(__x86_64__)
TEST_CASE("results too small for normal numbers are 0 only while they are flushed", "[cpu]") {
    double volatile const least = std::numeric_limits<double>::min();
    auto const quarter = [&] { return least * 0.25; };
    double flushed;
    {
        FlushToZero<xsimd::default_arch> const while_running;
        flushed = quarter();
    }
    CHECK(flushed == 0);
    CHECK(quarter() > 0);
}
#endif

TEMPLATE_TEST_CASE("inverse square roots are good to about a unit in the last place", "[cpu]", float, double) {
    using T = Pack<TestType, xsimd::default_arch, 1>;
    double const unit = std::numeric_limits<TestType>::epsilon();
    double largest = 0;
    for (int n = 0; n < 20000; ++n) {
        auto const x = static_cast<TestType>(1e-4 * std::pow(1.0012, n));
        double const y = inverse_sqrt(T(x)).parts[0].get(0);
        largest = worst_of(largest, std::abs(y * std::sqrt(static_cast<double>(x)) - 1));
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

TEMPLATE_TEST_CASE("transforms in pieces are transforms, of any length", "[cpu]", float, double) {
    auto const size =
        GENERATE(std::array{5, 6, 7}, std::array{17, 6, 38}, std::array{8, 34, 7}, std::array{6, 8, 19},
                 std::array{27, 22, 16}, std::array{16, 32, 100}, std::array{64, 10, 101}, std::array{1, 2, 3},
                 std::array{11, 1, 1}, std::array{13, 58, 2}, std::array{128, 9, 33});
    int const nx = size[0], ny = size[1], nz = size[2];
    CAPTURE(nx, ny, nz);
    auto const given = [](int x, int y, int z) { return std::sin(1.0 + x * 3 + y * 7 + z * z); };
    int const kx = 2 % nx, ky = 5 % ny, kz = std::min(3, nz / 2);
    using Precise = long double;
    std::complex<Precise> sum = 0;
    for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z) {
                Precise const turns = Precise(kx * x % nx) / nx + Precise(ky * y % ny) / ny + Precise(kz * z % nz) / nz;
                sum += Precise(given(x, y, z)) * std::polar(Precise(1), -2 * std::numbers::pi_v<Precise> * turns);
            }
    std::complex<double> const expected(static_cast<double>(sum.real()), static_cast<double>(sum.imag()));
    trotter::testing::with_each_instruction_set([&] {
        MeshTransform<DynamicDispatch, TestType> const transform(nx, ny, nz);
        Aligned<TestType> memory(static_cast<std::size_t>(nx) * transform.plane());
        auto const plane = [&](int x) { return memory.data() + static_cast<std::size_t>(x) * transform.plane(); };
        auto const at = [&](int x, int y, int z) -> TestType& { return plane(x)[y * transform.row() + z]; };
        for (int x = 0; x < nx; ++x)
            for (int y = 0; y < ny; ++y)
                for (int z = 0; z < nz; ++z) at(x, y, z) = static_cast<TestType>(given(x, y, z));
        for (int x = 0; x < nx; ++x) transform.forward_plane(plane(x), plane(x));
        // About one unit of √n, the magnitude of a transform's elements, for each of up to nine passes.
        double const unit = std::numeric_limits<TestType>::epsilon(), error = 8 * unit * std::sqrt(nx * ny * nz);
        for (int y = 0; y < ny; ++y)
            transform.change_lines(memory.data() + y * transform.split_row(), [&](TestType const* lines) {
                TestType const* const re = lines + kx * transform.split_row() + kz;
                if (y == ky) CHECK(std::abs(std::complex<double>(re[0], re[transform.columns()]) - expected) < error);
            });
        for (int x = 0; x < nx; ++x) transform.backward_plane(plane(x));
        double largest = 0;
        for (int x = 0; x < nx; ++x)
            for (int y = 0; y < ny; ++y)
                for (int z = 0; z < nz; ++z)
                    largest = worst_of(largest, std::abs(at(x, y, z) / (double(nx) * ny * nz) - given(x, y, z)));
        // The largest of up to 10⁵ errors, usually three units.
        CHECK(largest < 20 * unit);
    });
}
