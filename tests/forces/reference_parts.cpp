// Components of the Reference backend: FFTs of any size, and the neighbor search.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <numbers>
#include <set>

#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/reference/mesh/fft.hpp>
#include <trotter/reference/neighbors.hpp>

#include "evaluation.hpp"
#include "largest_difference.hpp"

using namespace trotter;

namespace reference_parts_test {

using reference::Complex;

TEST_CASE("transforms of all sizes are the sums that they stand for", "[forces]") {
    for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 30, 47, 49, 53, 54, 60, 97, 106}) {
        std::vector<Complex> x;
        for (int j = 0; j < n; ++j) x.emplace_back(std::sin(j * j), std::cos(3 * j));
        auto transformed = x;
        reference::Fft fft(n);
        fft.forward(transformed.data());
        double error = 0;
        for (int k = 0; k < n; ++k) {
            Complex sum = 0;
            for (int j = 0; j < n; ++j)
                sum += x[static_cast<std::size_t>(j)] * std::polar(1.0, -2 * std::numbers::pi * (j * k % n) / n);
            error = worst_of(error, std::abs(sum - transformed[static_cast<std::size_t>(k)]));
        }
        INFO("size " << n);
        CHECK(error < 1e-13 * n);
        fft.inverse(transformed.data());
        for (std::size_t j = 0; j < x.size(); ++j) error = worst_of(error, std::abs(transformed[j] / double(n) - x[j]));
        CHECK(error < 1e-13 * n);
    }
}

TEST_CASE("a transform in space is one along each axis", "[forces]") {
    int const nx = 3, ny = 4, nz = 5;
    std::vector<Complex> grid(nx * ny * nz);
    grid[(1 * ny + 2) * nz + 3] = 1;
    reference::Fft3D(nx, ny, nz).forward(grid);
    double error = 0;
    for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z) {
                double const turns = x * 1.0 / nx + y * 2.0 / ny + z * 3.0 / nz;
                Complex const wave = std::polar(1.0, -2 * std::numbers::pi * turns);
                error = worst_of(error, std::abs(grid[static_cast<std::size_t>((x * ny + y) * nz + z)] - wave));
            }
    CHECK(error < 1e-14);
}

TEST_CASE("splines add up to one and their slopes are derivatives", "[forces]") {
    for (double w : {0.0, 0.2, 0.5, 0.999}) {
        auto const at = spline_weights(w), above = spline_weights(w + 1e-5), below = spline_weights(w - 1e-5);
        double sum = 0;
        for (std::size_t j = 0; j < spline_order; ++j) {
            sum += at.value[j];
            CHECK(at.slope[j] == Approx((above.value[j] - below.value[j]) / 2e-5).margin(1e-9));
        }
        CHECK(sum == Approx(1).epsilon(1e-14));
    }
}

TEST_CASE("all pairs within the cutoff are found once", "[forces]") {
    using Pairs = std::set<std::pair<std::size_t, std::size_t>>;
    for (double scale : {1.0, 1.7, 3.0})
        for (Box const& unit : {small_box, skewed_box}) {
            Box const box{unit.a * scale, unit.b * scale, unit.c * scale};
            auto positions = scattered(150, box, 0, 5);
            for (std::size_t i = 0; i < positions.size(); i += 3)
                positions[i] += box.a * 2 - box.b + box.c * 3;  // not wrapped
            for (double cutoff : {0.15, 0.3, 0.5, 0.7, 1.0})
                for (bool is_periodic : {true, false}) {
                    Pairs expected, found;
                    std::size_t calls = 0;
                    for (std::size_t i = 0; i < positions.size(); ++i)
                        for (std::size_t j = 0; j < i; ++j) {
                            Vec3<> const d = positions[i] - positions[j],
                                         nearest = is_periodic ? box.minimum_image(d) : d;
                            if (norm(nearest) <= cutoff) expected.insert({j, i});
                        }
                    double error = 0;
                    reference::for_each_pair(
                        {cutoff, is_periodic}, positions, box,
                        [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                            ++calls;
                            found.insert(std::minmax(i, j));
                            Vec3<> const raw = positions[i] - positions[j];
                            error = std::max({error, norm(d - (is_periodic ? box.minimum_image(raw) : raw)),
                                              std::abs(r2 - dot(d, d))});
                        });
                    INFO("cutoff " << cutoff << ", scale " << scale << (is_periodic ? ", periodic" : ", open"));
                    CHECK(found == expected);
                    CHECK(calls == expected.size());
                    CHECK(error < 1e-13);
                }
        }
}

TEST_CASE("a position that is no number has no neighbours and harms nobody", "[forces]") {
    auto positions = scattered(20, small_box, 0.1, 1);
    positions[3].x = std::nan("");
    positions[4].y = std::numeric_limits<double>::infinity();
    for (bool is_periodic : {true, false}) {
        std::size_t found = 0, expected = 0;
        reference::for_each_pair(
            {1.0, is_periodic}, positions, small_box, [&](std::size_t i, std::size_t j, Vec3<> const&, double) {
                ++found;
                CHECK((std::min(i, j) > 4 || std::max(i, j) < 3 || (std::min(i, j) < 3 && std::max(i, j) > 4)));
            });
        for (std::size_t i = 0; i < positions.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                Vec3<> const d = positions[i] - positions[j];
                expected += norm(is_periodic ? small_box.minimum_image(d) : d) <= 1.0;
            }
        CHECK(found == expected);
        CHECK(found > 0);
    }
}

}  // namespace reference_parts_test
