// Noise without state: the same numbers for a seed, stream, step and particle, in any order and on every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <trotter/vec3.hpp>

namespace trotter {

/// Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC '11, doi:10.1145/2063384.2063405.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        auto const product0 = std::uint64_t{0xD2511F53} * counter[0];
        auto const product1 = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
                   static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
        key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
    }
    return counter;
}

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
        std::array<double, 4> result{};
        for (std::size_t i = 0; i < 4; ++i) result[i] = (words[i] + 0.5) * 0x1p-32;
        return result;
    }

    /// Three independent standard normal numbers (Box and Muller 1958).
    Vec3<> normals(std::uint64_t step, std::uint32_t index) const {
        auto const [u0, u1, u2, u3] = uniforms(step, index);
        double const radius1 = std::sqrt(-2 * std::log(u0)), radius2 = std::sqrt(-2 * std::log(u2));
        double const angle1 = 2 * std::numbers::pi * u1, angle2 = 2 * std::numbers::pi * u3;
        return {radius1 * std::cos(angle1), radius1 * std::sin(angle1), radius2 * std::cos(angle2)};
    }
};

/// A seed for a consumer that has none of its own (0): derived from the Context's seed and the consumer's stream.
constexpr std::uint64_t derived_seed(std::uint64_t context_seed, std::uint32_t stream) {
    auto const words = philox4x32({stream, 0x5EED5EEDu, 0, 0},
                                  {static_cast<std::uint32_t>(context_seed), static_cast<std::uint32_t>(context_seed >> 32)});
    return (std::uint64_t{words[0]} << 32) | words[1];
}

}  // namespace trotter
