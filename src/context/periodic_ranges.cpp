// Checks that the periodic box is wide enough for the cutoffs of forces.
// SPDX-License-Identifier: MIT
#include <string>

#include <trotter/context/periodic_ranges.hpp>
#include <trotter/error.hpp>

namespace trotter {

void PeriodicRanges::check(Request const& request, Box const& box) const {
    double const width = box.shortest_width();
    for (std::size_t n = 0; n < ranges_.size(); ++n) {
        auto const& [force, reach, is_rectangular, group, other_group] = ranges_[n];
        auto const index = static_cast<int>(n);
        if (!request.wants(index, group) && !request.wants(index, other_group)) continue;
        if (width < 1.999999 * reach)
            throw SimulationError(std::string(force) + ": the periodic box has become " + std::to_string(width)
                                  + " nm wide, less than twice the cutoff of " + std::to_string(reach) + " nm");
        if (is_rectangular && !box.is_rectangular())
            throw SimulationError(std::string(force) + ": the periodic box has become triclinic, but the method Ewald "
                                                       "needs a rectangular one; use PME");
    }
}

}  // namespace trotter
