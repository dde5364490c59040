// Measures displacements since a list was built and estimates the pairs that it misses.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/four_numbers.hpp>

namespace trotter::cpu {

/// Records of clusters now and when a list with `buffer` was built, for clusters begin … end-1 and those `away` from
/// them.
template <class Real> struct MovedClusters {
    Real const *now, *before;
    std::int32_t begin, end, away;
    Real buffer;
};

template <class Real> struct Displacements {
    Real largest;
    /// Pairs each particle with one far from it in the list, hence uncorrelated, and sums, over these pairs and the
    /// three axes, by how much their relative displacement exceeds the buffer.
    double beyond_buffer;
};

template <class Real, class Arch> struct Displaced {
    static Displacements<Real> run(MovedClusters<Real> const moved) {
        return {std::max(largest(moved, moved.begin, moved.end),
                         largest(moved, moved.begin + moved.away, moved.end + moved.away)),
                beyond_buffer(moved)};
    }

private:
    static constexpr std::ptrdiff_t numbers = record_size * cluster_size;

    static Real largest(MovedClusters<Real> const& moved, std::ptrdiff_t begin, std::ptrdiff_t end) {
        Four<Real> largest2{};
        for (std::ptrdiff_t cluster = begin; cluster < end; ++cluster) {
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

    static double beyond_buffer(MovedClusters<Real> const& moved) {
        std::ptrdiff_t const away = numbers * moved.away;
        Real sums[numbers] = {};
        auto add = [&](std::ptrdiff_t n, int lane) __attribute__((always_inline)) {
            Real const apart = (moved.now[n] - moved.before[n]) - (moved.now[n + away] - moved.before[n + away]);
            Real const beyond = (apart < 0 ? -apart : apart) - moved.buffer;
            sums[lane] += beyond > 0 ? beyond : Real(0);
        };
        for (std::ptrdiff_t n = numbers * moved.begin; n < numbers * moved.end; n += numbers)
            for (int lane = 0; lane < numbers; ++lane) add(n + lane, lane);
        double result = 0;
        for (int lane = 0; lane < numbers; ++lane)
            if (lane % record_size < 3) result += static_cast<double>(sums[lane]);
        return result;
    }
};

}  // namespace trotter::cpu
