// How far particles have moved since a pair list was made, and what the list misses for that.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

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
        constexpr int numbers = 3 * cluster_size;
        Real largest2[cluster_size] = {}, beyond[numbers] = {};
        for (std::ptrdiff_t cluster = moved.begin; cluster < moved.end; ++cluster) {
            std::ptrdiff_t const other = (cluster + moved.count / 2) % moved.count;
            Real const *const now = moved.now + numbers * cluster, *const before = moved.before + numbers * cluster,
                              *const other_now = moved.now + numbers * other,
                              *const other_before = moved.before + numbers * other;
            Real d[numbers];
            for (int n = 0; n < numbers; ++n) {
                d[n] = now[n] - before[n];
                Real const apart = d[n] - (other_now[n] - other_before[n]), size = apart < 0 ? -apart : apart;
                beyond[n] += size > moved.buffer ? size - moved.buffer : Real(0);
            }
            for (int n = 0; n < cluster_size; ++n) {
                Real const squared = d[n] * d[n] + d[cluster_size + n] * d[cluster_size + n]
                                     + d[2 * cluster_size + n] * d[2 * cluster_size + n];
                largest2[n] = squared > largest2[n] ? squared : largest2[n];
            }
        }
        Real largest = 0;
        for (Real const squared : largest2) largest = squared > largest ? squared : largest;
        double beyond_buffer = 0;
        for (Real const size : beyond) beyond_buffer += static_cast<double>(size);
        return {std::sqrt(largest), beyond_buffer};
    }
};

}  // namespace trotter::cpu
