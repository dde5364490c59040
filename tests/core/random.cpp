// The random number generator: published test vectors, moments, independence of streams.
// SPDX-License-Identifier: MIT
#include <trotter/base/random.hpp>

#include "catch_compat.hpp"

using namespace trotter;

// The known answers of Random123's kat_vectors for philox4x32-10.
static_assert(philox4x32({0, 0, 0, 0}, {0, 0}) == std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff})
              == std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0})
              == std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

TEST_CASE("normal numbers have the moments of the normal distribution") {
    RandomStream const stream{42, 3};
    int const n = 200000;
    Vec3<> mean, square, fourth;
    double mixed = 0;
    for (int i = 0; i < n; ++i) {
        auto const v = stream.normals(7, static_cast<std::uint32_t>(i));
        mean += v;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            square[axis] += v[axis] * v[axis];
            fourth[axis] += v[axis] * v[axis] * v[axis] * v[axis];
        }
        mixed += v.x * v.y + v.y * v.z + v.z * v.x;
    }
    // five standard errors of each mean: sqrt(1/n), sqrt(2/n), sqrt(96/n), sqrt(3/n)
    for (std::size_t axis = 0; axis < 3; ++axis) {
        CHECK(std::abs(mean[axis] / n) < 5 * std::sqrt(1.0 / n));
        CHECK(std::abs(square[axis] / n - 1) < 5 * std::sqrt(2.0 / n));
        CHECK(std::abs(fourth[axis] / n - 3) < 5 * std::sqrt(96.0 / n));
    }
    CHECK(std::abs(mixed / n) < 5 * std::sqrt(3.0 / n));
}

TEST_CASE("another seed, stream, step or particle gives other numbers, the same gives the same") {
    RandomStream const stream{1, 2};
    auto const word = [](RandomStream const& s, std::uint64_t step, std::uint32_t index) { return s.bits(step, index); };
    CHECK(word(stream, 3, 4) == word(RandomStream{1, 2}, 3, 4));
    CHECK(word(stream, 3, 4) != word(RandomStream{2, 2}, 3, 4));
    CHECK(word(stream, 3, 4) != word(RandomStream{1, 3}, 3, 4));
    CHECK(word(stream, 3, 4) != word(stream, 4, 4));
    CHECK(word(stream, 3, 4) != word(stream, 3, 5));
    CHECK(word(stream, 3, 4) != word(stream, 3 + (std::uint64_t{1} << 32), 4));
    CHECK(derived_seed(5, 1) != derived_seed(5, 2));
    CHECK(derived_seed(5, 1) != derived_seed(6, 1));
}
