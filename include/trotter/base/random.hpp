// Counter-based random numbers: the same for a seed, stream, step and particle on every backend.
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

/// A single SIMD lane. Backends with SIMD have such a type: a 64-bit unsigned integer and a double for each lane, and
/// the functions that their operators do not provide.
struct OneLane {
    using Word = std::uint64_t;  ///< one lane of 64 bits
    using Real = double;  ///< one lane of doubles
    /// Product of the lower halves.
    static constexpr Word product(Word a, Word b) { return a * b; }
    /// IEEE square root.
    static Real square_root(Real x) { return std::sqrt(x); }
};

/// Converts counters to normally distributed numbers, without branches and by additions, multiplications, divisions and
/// square roots alone: bit-identical wherever arithmetic is IEEE's and products are not fused into sums. 32-bit words
/// are in the lower halves of `Word`.
template <class Lanes> struct Noise {
    using Word = typename Lanes::Word;  ///< unsigned integers of 64 bits, one for each lane
    using Real = typename Lanes::Real;  ///< doubles, one for each lane
    /// A counter on input, random bits on output.
    struct Words {
        Word a, b, c, d;  ///< 32 bits each, in the lower half
    };

    /// Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2,
    /// 3", SC '11, doi:10.1145/2063384.2063405.
    [[gnu::always_inline]] static constexpr void philox4x32(Words& w, std::uint32_t key0, std::uint32_t key1) {
        for (int round = 0; round < 10; ++round) {
            Word const product0 = Lanes::product(w.a, Word{} + std::uint64_t{0xD2511F53});
            Word const product1 = Lanes::product(w.c, Word{} + std::uint64_t{0xCD9E8D57});
            w.a = (product1 >> 32) ^ w.b ^ std::uint64_t{key0};
            w.b = product1 & lower_half;
            w.c = (product0 >> 32) ^ w.d ^ std::uint64_t{key1};
            w.d = product0 & lower_half;
            key0 += 0x9E3779B9u, key1 += 0xBB67AE85u;
        }
    }

    /// (word + 1/2)/2³²: in the open interval (0, 1).
    [[gnu::always_inline]] static constexpr Real uniform(Word const& word) { return (to_real(word) + 0.5) * 0x1p-32; }

    /// Three independent standard normal numbers for each lane (G. E. P. Box and M. E. Muller, 1958).
    [[gnu::always_inline]] static void normals(Words const& words, Real& x, Real& y, Real& z) {
        Real cosine1, sine1, cosine2, sine2;
        direction(words.b, cosine1, sine1);
        direction(words.d, cosine2, sine2);
        Real const radius1 = Lanes::square_root(2.0 * minus_log(uniform(words.a)));
        Real const radius2 = Lanes::square_root(2.0 * minus_log(uniform(words.c)));
        x = radius1 * cosine1;
        y = radius1 * sine1;
        z = radius2 * cosine2;
    }

    /// -ln u for 2⁻³³ ≤ u < 1, to a relative 4e-16: u = 2ᵉ m with m within √2 of 1, and
    /// ln m = 2 (s + s³/3 + s⁵/5 + …) with s = (m-1)/(m+1).
    [[gnu::always_inline]] static constexpr Real minus_log(Real const& u) {
        constexpr std::uint64_t root_half = std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1), bias = 64;
        Word const shifted = std::bit_cast<Word>(u) - root_half + (bias << 52);
        Word const exponent = shifted >> 52;  // e + bias
        Real const m = std::bit_cast<Real>((shifted & std::uint64_t{0x000FFFFFFFFFFFFF}) + root_half);
        Real const s = (m - 1.0) / (m + 1.0), s2 = s * s;
        constexpr double c[] = {2.,      2. / 3,  2. / 5,  2. / 7,  2. / 9, 2. / 11,
                                2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21};
        return (static_cast<double>(bias) - to_real(exponent)) * std::numbers::ln2 - s * polynomial(s2, c);
    }

    /// A unit vector in the plane at a uniform angle: the upper two bits choose the quarter turn, the others an angle
    /// within 45° of it, whose sine and cosine are their Taylor series, to 2e-16.
    [[gnu::always_inline]] static constexpr void direction(Word const& word, Real& cosine, Real& sine) {
        Real const fraction = (to_real(word & std::uint64_t{0x3FFFFFFF}) + 0.5) * 0x1p-32 - 0.125;
        Real const x = fraction * (2 * std::numbers::pi), x2 = x * x;
        constexpr double s[] = {1.,           -1. / 6,        1. / 120,         -1. / 5040,
                                1. / 362880., -1. / 39916800, 1. / 6227020800., -1. / 1307674368000.};
        constexpr double c[] = {1.,
                                -1. / 2,
                                1. / 24,
                                -1. / 720,
                                1. / 40320,
                                -1. / 3628800,
                                1. / 479001600,
                                -1. / 87178291200.,
                                1. / 20922789888000.};
        Word const sine_bits = std::bit_cast<Word>(x * polynomial(x2, s)),
                   cosine_bits = std::bit_cast<Word>(polynomial(x2, c));
        Word const swap = (sine_bits ^ cosine_bits) & (Word{} - (word >> 30 & std::uint64_t{1}));
        Word const sign = (word & std::uint64_t{0x80000000}) << 32;
        cosine = std::bit_cast<Real>(cosine_bits ^ swap ^ sign);
        sine = std::bit_cast<Real>(sine_bits ^ swap ^ sign);
    }

private:
    static constexpr std::uint64_t lower_half = 0xFFFFFFFF;

    /// Exact below 2⁵².
    [[gnu::always_inline]] static constexpr Real to_real(Word const& word) {
        return std::bit_cast<Real>(word | std::uint64_t{0x4330000000000000}) - 0x1p52;
    }
    /// c[0] + c[1] x + c[2] x² + …
    template <std::size_t N>
    [[gnu::always_inline]] static constexpr Real polynomial(Real const& x, double const (&c)[N]) {
        Real sum = Real{} + c[N - 1];
        for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + c[i];
        return sum;
    }
};

/// One block of random bits from a counter and a key.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> const& counter,
                                                  std::array<std::uint32_t, 2> const& key) {
    Noise<OneLane>::Words w{counter[0], counter[1], counter[2], counter[3]};
    Noise<OneLane>::philox4x32(w, key[0], key[1]);
    return {static_cast<std::uint32_t>(w.a), static_cast<std::uint32_t>(w.b), static_cast<std::uint32_t>(w.c),
            static_cast<std::uint32_t>(w.d)};
}

/// Stream numbers: one for each integrator, each force, and the initial velocities.
namespace streams {
inline constexpr std::uint32_t integrator = 0, force = 0x10000, velocities = 0x20000;  ///< plus its index
}

/// Random numbers of one consumer: a function of (step, index), so streams are independent and have no state.
struct RandomStream {
    std::uint64_t seed = 0;  ///< 64 bits of the key
    std::uint32_t stream = 0;  ///< the last word of the counter

    /// The random words of an index at a step, for any number of lanes.
    template <class Lanes>
    [[gnu::always_inline]] constexpr typename Noise<Lanes>::Words words(std::uint64_t step,
                                                                        typename Lanes::Word const& index) const {
        typename Lanes::Word const zero{};
        typename Noise<Lanes>::Words words{index, zero + (step & 0xFFFFFFFF), zero + (step >> 32),
                                           zero + std::uint64_t{stream}};
        Noise<Lanes>::philox4x32(words, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
        return words;
    }

    /// 128 random bits.
    constexpr std::array<std::uint32_t, 4> bits(std::uint64_t step, std::uint32_t index) const {
        auto const w = words<OneLane>(step, index);
        return {static_cast<std::uint32_t>(w.a), static_cast<std::uint32_t>(w.b), static_cast<std::uint32_t>(w.c),
                static_cast<std::uint32_t>(w.d)};
    }

    /// Four numbers, each uniform in the open interval (0, 1).
    constexpr std::array<double, 4> uniforms(std::uint64_t step, std::uint32_t index) const {
        using N = Noise<OneLane>;
        auto const w = words<OneLane>(step, index);
        return {N::uniform(w.a), N::uniform(w.b), N::uniform(w.c), N::uniform(w.d)};
    }

    /// Three independent standard normal numbers.
    Vec3<> normals(std::uint64_t step, std::uint32_t index) const {
        Vec3<> result;
        Noise<OneLane>::normals(words<OneLane>(step, index), result.x, result.y, result.z);
        return result;
    }
};

/// The seed of a consumer whose own seed is 0: derived from the Context's seed and the consumer's stream.
constexpr std::uint64_t derived_seed(std::uint64_t context_seed, std::uint32_t stream) {
    auto const words = philox4x32({stream, 0x5EED5EEDu, 0, 0}, {static_cast<std::uint32_t>(context_seed),
                                                                static_cast<std::uint32_t>(context_seed >> 32)});
    return (std::uint64_t{words[0]} << 32) | words[1];
}

}  // namespace trotter
