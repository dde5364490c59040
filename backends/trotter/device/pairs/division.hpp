// How the work on pairs is divided among the processors of a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <trotter/device/runtime/queue.hpp>

namespace trotter::device {

/// By the number of groups of particles, each of which has a list.
class PairDivision {
public:
    PairDivision(DeviceProperties const& properties, std::size_t groups)
        : groups_(groups),
          units_(static_cast<std::size_t>(properties.compute_units)),
          go_in_step_(properties.warp_size >= 32) {}

    /// Warps of a work-group in loops over pairs.
    std::size_t warps() const { return go_in_step_ ? 4 : 1; }
    /// Whether there are more lists than stand side by side.
    bool are_many() const { return groups_ >= 16 * units_; }
    /// Lists are split into items that stand side by side on the device: 28 on each multiprocessor, or what
    /// PAIR_BOUNDS has room for.
    /// Where that splits little, six chunks or fewer stay together, so that items end at about the same time; twelve
    /// where there are three rounds of items, which even that out.
    std::int32_t parts(double chunks) const {
        double const places = 28.0 * static_cast<double>(units_), groups = static_cast<double>(groups_);
        double const short_enough = groups < 3 * places ? std::ceil(chunks / 6) : chunks / 12;
        return static_cast<std::int32_t>(
            std::clamp(std::max(short_enough, std::min(chunks, places / groups)), 1.0, 1e4));
    }
    /// J clusters of a list are divided where there are fewer items than multiprocessors, and then their particles: by
    /// the text, so by what is known before there are lists; not in double, where it shows that each item's sums are
    /// rounded.
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
    /// Warps that make a list. Where there are few lists, more warps work on each: enough for all multiprocessors to
    /// change between, but no more than four where those have lists of their own anyway.
    std::size_t list_warps() const {
        if (!go_in_step_) return 1;
        std::size_t result = 1;
        while (result < 4 && groups_ * result < 48 * units_) result *= 2;
        return groups_ < 2 * units_ ? 8 : result;
    }
    /// Entries that each of these keeps: more than a list of water at 1 nm has, and few enough for 32 lists in 228 KB.
    std::size_t list_room() const { return list_warps() == 1 ? 1184 : 2048 / list_warps(); }

private:
    std::size_t groups_, units_;
    bool go_in_step_;
};

}  // namespace trotter::device
