// Checks that a periodic box is at least twice as wide as the range of each periodic force.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/core/request.hpp>
#include <trotter/parts/parts.hpp>

namespace trotter {

/// Range of a force between nearest images [nm]; 0 if it has no periodic distance with a limit.
template <class F> double periodic_reach(F const& force) {
    if constexpr (requires { force.pairs.is_periodic(); })
        return force.pairs.is_periodic() ? force.pairs.cutoff_distance : 0;
    else if constexpr (requires { force.cutoff_distance; })
        return force.is_periodic() ? force.cutoff_distance : 0;
    else if constexpr (requires { force.reach(); })
        return force.periodic ? force.reach() : 0;
    else if constexpr (StatesParts<F>) {
        double longest = 0;
        for_each_part(force, [&](auto const& part) {
            if constexpr (requires { part.pairs.is_periodic(); })
                if (part.pairs.is_periodic()) longest = std::max(longest, part.pairs.cutoff_distance);
        });
        return longest;
    } else
        return 0;
}

/// Requirements of the forces of a Context on its box.
class PeriodicRanges {
public:
    /// Sets the requirements of the force with this index.
    template <class F> void set(std::size_t index, F const& force) {
        ranges_.resize(std::max(ranges_.size(), index + 1));
        auto& range = ranges_[index] = {F::name, periodic_reach(force)};
        if constexpr (requires { force.needs_rectangular_box(); }) range.is_rectangular = force.needs_rectangular_box();
        if constexpr (requires { force.force_group; }) range.group = range.other_group = force.force_group;
        if constexpr (requires { force.reciprocal_force_group; })
            if (force.reciprocal_force_group >= 0) range.other_group = force.reciprocal_force_group;
    }
    /// Throws SimulationError if a requested force cannot be computed in this box.
    void check(Request const& request, Box const& box) const;

private:
    struct Range {
        std::string_view force{};
        double reach = 0;
        bool is_rectangular = false;
        int group = 0, other_group = 0;
    };
    std::vector<Range> ranges_;  // of each force
};

}  // namespace trotter
