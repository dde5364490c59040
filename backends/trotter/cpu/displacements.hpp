// How far particles have moved since a pair list was made, and what the list misses for that.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// Coordinates of `count` clusters now and when a list with `buffer` was made; clusters begin … end-1 are looked at.
template <class Real> struct MovedClusters {
    Real const *now, *before;
    std::int32_t begin, end, count;
    Real buffer;
};

template <class Real> struct Displacements {
    Real largest;
    /// Each particle is paired with one half of the list away, which knows nothing of it. Added up for all of these and
    /// the three axes: by how much they came nearer to each other, or went away, beyond the buffer.
    double beyond_buffer;
};

template <class Real, class Arch> struct Displaced {
    static Displacements<Real> run(MovedClusters<Real> const moved) {
        // Clusters before `turn` have their partners `half` behind them, the others have them before them.
        int const half = moved.count / 2, turn = moved.count - half;
        int const middle = std::clamp(turn, moved.begin, moved.end);
        return {largest(moved), beyond_buffer(moved, moved.begin, middle, half)
                                    + beyond_buffer(moved, middle, moved.end, half - moved.count)};
    }

private:
    static constexpr std::ptrdiff_t numbers = 3 * cluster_size;

    static Real largest(MovedClusters<Real> const& moved) {
        Real largest2[cluster_size] = {};
        for (std::ptrdiff_t cluster = moved.begin; cluster < moved.end; ++cluster) {
            Real const *const now = moved.now + numbers * cluster, *const before = moved.before + numbers * cluster;
            for (int n = 0; n < cluster_size; ++n) {
                Real const x = now[n] - before[n], y = now[cluster_size + n] - before[cluster_size + n],
                           z = now[2 * cluster_size + n] - before[2 * cluster_size + n];
                Real const squared = x * x + y * y + z * z;
                largest2[n] = squared > largest2[n] ? squared : largest2[n];
            }
        }
        Real result = 0;
        for (Real const squared : largest2) result = squared > result ? squared : result;
        return std::sqrt(result);
    }

    /// Of clusters begin … end-1 and those `away` from them.
    static double beyond_buffer(MovedClusters<Real> const& moved, std::ptrdiff_t begin, std::ptrdiff_t end,
                                std::ptrdiff_t away) {
        constexpr int lanes = 16;
        Real sums[lanes] = {};
        auto add = [&](std::ptrdiff_t n, int lane) __attribute__((always_inline)) {
            Real const apart =
                (moved.now[n] - moved.before[n]) - (moved.now[n + numbers * away] - moved.before[n + numbers * away]);
            Real const beyond = (apart < 0 ? -apart : apart) - moved.buffer;
            sums[lane] += beyond > 0 ? beyond : Real(0);
        };
        std::ptrdiff_t n = numbers * begin;
        for (; n + lanes <= numbers * end; n += lanes)
            for (int lane = 0; lane < lanes; ++lane) add(n + lane, lane);
        for (; n < numbers * end; ++n) add(n, 0);
        double result = 0;
        for (Real const sum : sums) result += static_cast<double>(sum);
        return result;
    }
};

}  // namespace trotter::cpu
