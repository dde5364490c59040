// Two numbers that processors calculate with at once: clusters of one kind are solved in pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

inline constexpr std::size_t lane_count = 2;

/// As wide as every 64-bit processor has it, so that this needs no code for each instruction set.
using Lanes [[gnu::vector_size(lane_count * sizeof(double))]] = double;

inline Lanes sqrt(Lanes const& v) { return Lanes{std::sqrt(v[0]), std::sqrt(v[1])}; }

/// One particle for each lane.
using LaneParticles = std::array<std::size_t, lane_count>;

inline Vec3<Lanes> gather(std::vector<Vec3<>> const& from, LaneParticles const& particles) {
    Vec3<> const &a = from[particles[0]], &b = from[particles[1]];
    return {Lanes{a.x, b.x}, Lanes{a.y, b.y}, Lanes{a.z, b.z}};
}

inline void scatter(Vec3<Lanes> const& values, std::vector<Vec3<>>& to, LaneParticles const& particles) {
    for (std::size_t lane = 0; lane < lane_count; ++lane) to[particles[lane]] = {values.x[lane], values.y[lane], values.z[lane]};
}

}  // namespace trotter
