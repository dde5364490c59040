// Sets of force groups.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace trotter {

/// Which force groups are meant: all of them, or a list. Groups are any numbers from 0.
class ForceGroups {
public:
    constexpr ForceGroups() = default;

    static ForceGroups all() { return {}; }
    static ForceGroups only(std::vector<int> groups) {
        ForceGroups result;
        result.all_ = false;
        std::sort(groups.begin(), groups.end());
        result.groups_ = std::move(groups);
        return result;
    }
    /// Bit n of the mask selects group n, as in OpenMM's files; a mask with all 32 bits selects every group.
    static ForceGroups mask(std::uint32_t bits) {
        if (bits == 0xFFFFFFFFu) return all();
        std::vector<int> groups;
        for (int n = 0; n < 32; ++n)
            if (bits >> n & 1u) groups.push_back(n);
        return only(std::move(groups));
    }

    bool contains(int group) const { return all_ || std::binary_search(groups_.begin(), groups_.end(), group); }
    bool contains_all() const { return all_; }
    /// The mask with these groups; groups beyond 31 have no bit.
    std::uint32_t mask() const {
        if (all_) return 0xFFFFFFFFu;
        std::uint32_t bits = 0;
        for (int group : groups_)
            if (group < 32) bits |= std::uint32_t{1} << group;
        return bits;
    }

    friend bool operator==(ForceGroups const&, ForceGroups const&) = default;

private:
    bool all_ = true;
    std::vector<int> groups_;
};

}  // namespace trotter
