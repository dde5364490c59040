// What one evaluation of the forces is asked for.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/force_groups.hpp>

namespace trotter {

/// Forces are always computed, for the groups that are wanted; their bits do not depend on the other members.
struct Request {
    ForceGroups groups;
    bool energy = true;
    bool parameter_derivatives = false;
    int only_force = -1;  ///< the index of a force: that one alone, whatever its group

    bool wants(int force, int group) const { return only_force >= 0 ? force == only_force : groups.contains(group); }
};

}  // namespace trotter
