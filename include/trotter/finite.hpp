// Finding numbers that are not finite among many that are.
// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

inline bool is_finite(Vec3<> const& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// The index of the first vector with a component that is infinite or NaN, or -1.
template <class Threads> int first_not_finite(std::vector<Vec3<>> const& vectors, Threads& threads) {
    auto const size = static_cast<int>(vectors.size());
    std::atomic<int> first = size;
    auto search = [&](std::size_t begin, std::size_t end) {
        double sum = 0;  // stays 0 unless a number is infinite or NaN
        for (std::size_t i = begin; i < end; ++i) sum += 0 * (vectors[i].x + vectors[i].y + vectors[i].z);
        if (sum == 0) return;
        for (std::size_t i = begin; i < end; ++i) {
            if (is_finite(vectors[i])) continue;
            int const found = static_cast<int>(i);
            for (int known = first; found < known && !first.compare_exchange_weak(known, found);) {}
            return;
        }
    };
    threads.for_ranges(vectors.size(), search, 8192);
    return first < size ? first.load() : -1;
}

}  // namespace trotter
