// Sums over particles that are bitwise independent of the number of threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include <trotter/common/threads/threads.hpp>

namespace trotter {

/// value(0) + value(1) + … + value(size-1), summed within fixed ranges, then over ranges.
template <class Value> auto ordered_sum(Threads& threads, std::size_t size, Value const& value) {
    using Sum = decltype(value(std::size_t{0}) + value(std::size_t{0}));
    constexpr std::size_t parts = 64;
    std::array<Sum, parts> sums{};
    std::size_t const grain = std::max<std::size_t>((size + parts - 1) / parts, 256);
    threads.for_ranges(
        size,
        [&](std::size_t begin, std::size_t end) {
            Sum sum{};
            for (std::size_t i = begin; i < end; ++i) sum += value(i);
            sums[begin / grain] = sum;
        },
        grain);
    Sum total{};
    for (Sum const& sum : sums) total += sum;
    return total;
}

}  // namespace trotter
