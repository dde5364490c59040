// Finds pairs of particles that are listed twice.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace trotter {

/// Indices, ascending, of two pairs of the same particles in either order, if there are any. Particle indices must not
/// be negative.
template <class Pair>
[[gnu::cold]] std::optional<std::pair<std::size_t, std::size_t>> repeated_pair(std::vector<Pair> const& pairs) {
    std::vector<std::uint64_t> keys;
    keys.reserve(pairs.size());
    for (auto const& [i, j] : pairs)
        keys.push_back(static_cast<std::uint64_t>(std::min(i, j)) << 32 | static_cast<std::uint64_t>(std::max(i, j)));
    auto sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    auto const repeated = std::adjacent_find(sorted.begin(), sorted.end());
    if (repeated == sorted.end()) return {};
    auto const first = std::find(keys.begin(), keys.end(), *repeated);
    auto const second = std::find(first + 1, keys.end(), *repeated);
    return std::pair{static_cast<std::size_t>(first - keys.begin()), static_cast<std::size_t>(second - keys.begin())};
}

}  // namespace trotter
