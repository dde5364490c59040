// Pairs of particles that few bonds separate.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

namespace trotter::app::force_field {

/// Pairs of different particles that 1 to `most_bonds` bonds separate: for each particle, ascending, its partners of
/// lower index, ascending, as (partner, particle), with the least number of bonds between them.
struct SeparatedPair {
    int particle1 = 0, particle2 = 0;
    int bonds = 0;
};
std::vector<SeparatedPair> separated_pairs(std::vector<std::pair<int, int>> const& bonds, int particle_count,
                                           int most_bonds);

}  // namespace trotter::app::force_field
