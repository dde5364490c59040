// How far particles have moved since a pair list was made, and what the list misses for that.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <trotter/cpu/layout.hpp>

namespace trotter::cpu {

/// Records of `count` clusters now and when a list with `buffer` was made; clusters begin … end-1 are looked at.
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
    static constexpr std::ptrdiff_t numbers = record_size * cluster_size;

    static Real largest(MovedClusters<Real> const& moved) {
        Four<Real> largest2{};
        for (std::ptrdiff_t cluster = moved.begin; cluster < moved.end; ++cluster) {
            Four<Real> d[4];
            for (int n = 0; n < 4; ++n) {
                std::ptrdiff_t const record = numbers * cluster + n * record_size;
                d[n] = FourOf<Real>::load(moved.now + record) - FourOf<Real>::load(moved.before + record);
            }
            FourOf<Real>::transpose(d);
            Four<Real> const squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            largest2 = squared > largest2 ? squared : largest2;
        }
        Real result = 0;
        for (int n = 0; n < 4; ++n) result = std::max(result, largest2[n]);
        return std::sqrt(result);
    }

    /// Of clusters begin … end-1 and those `away` from them.
    static double beyond_buffer(MovedClusters<Real> const& moved, std::ptrdiff_t begin, std::ptrdiff_t end,
                                std::ptrdiff_t away) {
        Real sums[numbers] = {};
        auto add = [&](std::ptrdiff_t n, int lane) __attribute__((always_inline)) {
            Real const apart =
                (moved.now[n] - moved.before[n]) - (moved.now[n + numbers * away] - moved.before[n + numbers * away]);
            Real const beyond = (apart < 0 ? -apart : apart) - moved.buffer;
            sums[lane] += beyond > 0 ? beyond : Real(0);
        };
        for (std::ptrdiff_t n = numbers * begin; n < numbers * end; n += numbers)
            for (int lane = 0; lane < numbers; ++lane) add(n + lane, lane);
        double result = 0;
        for (int lane = 0; lane < numbers; ++lane)
            if (lane % record_size < 3) result += static_cast<double>(sums[lane]);
        return result;
    }
};

}  // namespace trotter::cpu
