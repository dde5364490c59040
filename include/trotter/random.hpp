// Noise without state: the same numbers for a seed, stream, step and particle, in any order and on every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include <trotter/vec3.hpp>

namespace trotter {

/// Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC '11, doi:10.1145/2063384.2063405.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        auto const product0 = std::uint64_t{0xD2511F53} * counter[0];
        auto const product1 = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(product1),
                   static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(product0)};
        key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
    }
    return counter;
}

/// The steps from random bits to normal numbers, without branches and in plain additions, multiplications, divisions
/// and square roots: loops over them vectorize, and the results have the same bits wherever arithmetic is IEEE's and
/// products are not fused into sums.
namespace noise {

/// A word as a double: exact.
constexpr double to_double(std::uint64_t word) {
    return std::bit_cast<double>(std::uint64_t{0x4330000000000000} | word) - 0x1p52;
}

/// (word + 1/2)/2³²: in the open interval (0, 1).
constexpr double uniform(std::uint64_t word) { return (to_double(word) + 0.5) * 0x1p-32; }

/// c[0] + c[1] x + c[2] x² + …
template <std::size_t N> constexpr double polynomial(double x, double const (&c)[N]) {
    double sum = c[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + c[i];
    return sum;
}

/// -ln u for 2⁻³³ ≤ u < 1, to a relative 4e-16: u = 2ᵉ m with m within √2 of 1, and
/// ln m = 2 (s + s³/3 + s⁵/5 + …) with s = (m-1)/(m+1).
constexpr double minus_log(double u) {
    constexpr std::uint64_t root_half = std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1);
    constexpr int bias = 64;
    std::uint64_t const shifted = std::bit_cast<std::uint64_t>(u) - root_half + (std::uint64_t{bias} << 52);
    std::uint64_t const exponent = shifted >> 52;  // e + bias
    double const m = std::bit_cast<double>((shifted & 0x000FFFFFFFFFFFFF) + root_half);
    double const s = (m - 1) / (m + 1), s2 = s * s;
    constexpr double c[] = {2.,     2. / 3,  2. / 5,  2. / 7,  2. / 9, 2. / 11,
                            2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21};
    return (bias - to_double(exponent)) * std::numbers::ln2 - s * polynomial(s2, c);
}

struct Direction {
    double cosine, sine;
};
/// A unit vector in the plane at a uniform angle: the upper two bits choose the quarter turn, the others an angle within
/// 45° of it, whose sine and cosine are their Taylor series, to 2e-16.
constexpr Direction direction(std::uint64_t word) {
    double const fraction = (to_double(word & 0x3FFFFFFF) + 0.5) * 0x1p-32 - 0.125;
    double const x = fraction * (2 * std::numbers::pi), x2 = x * x;
    constexpr double s[] = {1.,           -1. / 6,        1. / 120,         -1. / 5040,
                            1. / 362880., -1. / 39916800, 1. / 6227020800., -1. / 1307674368000.};
    constexpr double c[] = {1.,          -1. / 2,       1. / 24,          -1. / 720,           1. / 40320,
                            -1. / 3628800, 1. / 479001600, -1. / 87178291200., 1. / 20922789888000.};
    std::uint64_t const sine = std::bit_cast<std::uint64_t>(x * polynomial(x2, s));
    std::uint64_t const cosine = std::bit_cast<std::uint64_t>(polynomial(x2, c));
    std::uint64_t const swap = (sine ^ cosine) & (std::uint64_t{0} - (word >> 30 & 1));
    std::uint64_t const sign = (word & 0x80000000) << 32;
    return {std::bit_cast<double>(cosine ^ swap ^ sign), std::bit_cast<double>(sine ^ swap ^ sign)};
}

/// Three independent standard normal numbers from four words (G. E. P. Box and M. E. Muller, 1958).
inline Vec3<> normals(std::uint64_t word0, std::uint64_t word1, std::uint64_t word2, std::uint64_t word3) {
    double const radius1 = std::sqrt(2 * minus_log(uniform(word0))), radius2 = std::sqrt(2 * minus_log(uniform(word2)));
    Direction const first = direction(word1), second = direction(word3);
    return {radius1 * first.cosine, radius1 * first.sine, radius2 * second.cosine};
}

}  // namespace noise

/// Who draws: each integrator, force and the drawing of velocities has a stream of its own.
namespace streams {
inline constexpr std::uint32_t integrator = 0, force = 0x10000, velocities = 0x20000;
}

/// One consumer's sequence: a function of (step, index), so nothing has to be saved and nobody can draw from another's.
struct RandomStream {
    std::uint64_t seed = 0;
    std::uint32_t stream = 0;

    constexpr std::array<std::uint32_t, 4> bits(std::uint64_t step, std::uint32_t index) const {
        return philox4x32({index, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32), stream},
                          {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    }

    /// Four numbers, each uniform in the open interval (0, 1).
    constexpr std::array<double, 4> uniforms(std::uint64_t step, std::uint32_t index) const {
        auto const words = bits(step, index);
        return {noise::uniform(words[0]), noise::uniform(words[1]), noise::uniform(words[2]), noise::uniform(words[3])};
    }

    /// Three independent standard normal numbers.
    Vec3<> normals(std::uint64_t step, std::uint32_t index) const {
        auto const words = bits(step, index);
        return noise::normals(words[0], words[1], words[2], words[3]);
    }
};

/// A seed for a consumer that has none of its own (0): derived from the Context's seed and the consumer's stream.
constexpr std::uint64_t derived_seed(std::uint64_t context_seed, std::uint32_t stream) {
    auto const words =
        philox4x32({stream, 0x5EED5EEDu, 0, 0},
                   {static_cast<std::uint32_t>(context_seed), static_cast<std::uint32_t>(context_seed >> 32)});
    return (std::uint64_t{words[0]} << 32) | words[1];
}

}  // namespace trotter
