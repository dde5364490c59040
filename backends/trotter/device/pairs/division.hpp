// Divides pair work among a device's compute units.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <trotter/device/runtime/queue.hpp>

namespace trotter::device {

/// Work division by the number of particle groups; each has a list.
class PairDivision {
public:
    PairDivision(DeviceProperties const& properties, std::size_t groups)
        : groups_(groups),
          units_(static_cast<std::size_t>(properties.compute_units)),
          go_in_step_(properties.warp_size >= 32) {}

    /// Warps per work-group in pair loops.
    std::size_t warps() const { return go_in_step_ ? 4 : 1; }
    /// Whether there are more lists than run concurrently.
    bool are_many() const { return groups_ >= 16 * units_; }
    /// Number of items per list, such that all run concurrently on the device: 28 per multiprocessor, or as many as
    /// PAIR_BOUNDS allows.
    ///
    /// If this splits little, at most six chunks stay together, so that items end at about the same time; twelve if
    /// there are three rounds of items, which balances the load.
    std::int32_t parts(double chunks) const {
        double const places = 28.0 * static_cast<double>(units_), groups = static_cast<double>(groups_);
        double const short_enough = groups < 3 * places ? std::ceil(chunks / 6) : chunks / 12;
        return static_cast<std::int32_t>(
            std::clamp(std::max(short_enough, std::min(chunks, places / groups)), 1.0, 1e4));
    }
    /// Splits the j clusters of a list if there are fewer items than multiprocessors; `slot_splits` then splits their
    /// particles. The latter is compiled in, so it depends only on what is known before lists exist; not in double,
    /// where rounding of each item's sums would show.
    std::int32_t splits(std::int32_t parts) const {
        std::int32_t result = 1;
        while (result < 4 && groups_ * static_cast<std::size_t>(parts * result) < units_) result *= 2;
        return result;
    }
    std::size_t slot_splits(std::int32_t parts, bool is_double) const {
        std::size_t const items = groups_ * static_cast<std::size_t>(parts) * static_cast<std::size_t>(splits(parts));
        std::size_t result = 1;
        while (go_in_step_ && !is_double && result < 8 && items * result < units_) result *= 2;
        return result;
    }
    /// Warps that build a list. With few lists, more warps work on each: enough to fill all multiprocessors, but no
    /// more than four if each has its own lists.
    std::size_t list_warps() const {
        if (!go_in_step_) return 1;
        std::size_t result = 1;
        while (result < 4 && groups_ * result < 48 * units_) result *= 2;
        return groups_ < 2 * units_ ? 8 : result;
    }
    /// Entries per warp: more than in a list of water at 1 nm, and few enough for 32 lists in 228 KB.
    std::size_t list_room() const { return list_warps() == 1 ? 1184 : 2048 / list_warps(); }

private:
    std::size_t groups_, units_;
    bool go_in_step_;
};

}  // namespace trotter::device
