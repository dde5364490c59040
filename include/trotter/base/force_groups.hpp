// Sets of force groups.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <set>
#include <vector>

namespace trotter {

/// A set of force groups: all of them, or a list. Groups are any integers from 0.
class ForceGroups {
public:
    /// Every group.
    static ForceGroups all() { return {}; }
    /// These groups; none if the list is empty.
    static ForceGroups only(std::vector<int> const& groups) {
        ForceGroups result;
        result.all_ = false;
        result.groups_ = {groups.begin(), groups.end()};
        return result;
    }
    /// Bit n of the mask selects group n, as in OpenMM's files; a mask with all 32 bits selects every group.
    static ForceGroups mask(std::uint32_t bits) {
        if (bits == 0xFFFFFFFFu) return all();
        std::vector<int> groups;
        for (int n = 0; n < 32; ++n)
            if (bits >> n & 1u) groups.push_back(n);
        return only(groups);
    }

    /// Whether the group is one of them.
    bool contains(int group) const { return all_ || groups_.contains(group); }
    /// Whether the set is that of all groups.
    bool contains_all() const { return all_; }
    /// The mask with these groups; groups beyond 31 have no bit.
    std::uint32_t mask() const {
        if (all_) return 0xFFFFFFFFu;
        std::uint32_t bits = 0;
        for (int group : groups_)
            if (group < 32) bits |= std::uint32_t{1} << group;
        return bits;
    }

    friend bool operator==(ForceGroups const&, ForceGroups const&) = default;  ///< compares all members

private:
    bool all_ = true;
    std::set<int> groups_;
};

}  // namespace trotter
