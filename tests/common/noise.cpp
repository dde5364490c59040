// SIMD normal random numbers equal the scalar definition, and the definition is accurate.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "catch_compat.hpp"

#include <trotter/common/integration/noise.hpp>

using namespace trotter;

TEST_CASE("A block of normal numbers has the bits of the single numbers") {
    RandomStream const stream{0x123456789ABCDEFu, 17};
    NormalBlock block;
    int different = 0;
    for (std::uint64_t step : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{1} << 40})
        for (std::uint32_t first : {0u, 64u, 4294967232u}) {
            fill_normals<VectorLanes<16>>(stream, step, first, block);
            for (std::uint32_t i = 0; i < NormalBlock::size; ++i)
                different += block[i] != stream.normals(step, first + i);
        }
    CHECK(different == 0);
}

TEST_CASE("Logarithms and directions are accurate to rounding") {
    using N = Noise<OneLane>;
    std::vector<std::uint64_t> words{0,          1,          2,          0x3FFFFFFF, 0x40000000, 0x7FFFFFFF,
                                     0x80000000, 0xB504F332, 0xB504F334, 0xFFFFFFFE, 0xFFFFFFFF};
    for (std::uint64_t n = 0; n < 100'000; ++n) words.push_back(n * 2654435761u & 0xFFFFFFFF);
    long double worst_logarithm = 0, worst_direction = 0;
    for (std::uint64_t word : words) {
        long double const u = (static_cast<long double>(word) + 0.5L) * 0x1p-32L, logarithm = -std::log(u);
        worst_logarithm = std::max(worst_logarithm, std::abs((N::minus_log(N::uniform(word)) - logarithm) / logarithm));
        double cosine, sine;
        N::direction(word, cosine, sine);
        long double const pi = std::acos(-1.0L),
                          fraction = (static_cast<long double>(word & 0x3FFFFFFF) + 0.5L) * 0x1p-32L - 0.125L;
        long double c = std::cos(2 * pi * fraction), s = std::sin(2 * pi * fraction);
        if (word >> 30 & 1) std::swap(c, s);
        if (word >> 31 & 1) c = -c, s = -s;
        worst_direction = std::max({worst_direction, std::abs(cosine - c), std::abs(sine - s)});
    }
    CHECK(worst_logarithm < 4e-16L);
    CHECK(worst_direction < 3e-16L);
}
