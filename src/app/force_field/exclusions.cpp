// SPDX-License-Identifier: MIT
#include "exclusions.hpp"

#include <algorithm>

#include "at.hpp"

namespace trotter::app::force_field {

std::vector<SeparatedPair> separated_pairs(std::vector<std::pair<int, int>> const& bonds, int particle_count,
                                           int most_bonds) {
    std::vector<std::vector<int>> bonded(static_cast<std::size_t>(particle_count));
    for (auto const& [a, b] : bonds) {
        at(bonded, a).push_back(b);
        at(bonded, b).push_back(a);
    }
    std::vector<int> seen_from(bonded.size(), -1);
    std::vector<SeparatedPair> result;
    for (int particle = 0; particle < particle_count; ++particle) {
        at(seen_from, particle) = particle;
        std::vector<int> shell{particle}, next;
        auto const first = static_cast<std::ptrdiff_t>(result.size());
        for (int distance = 1; distance <= most_bonds && !shell.empty(); ++distance, shell.swap(next), next.clear())
            for (int const from : shell)
                for (int const other : at(bonded, from)) {
                    if (std::exchange(at(seen_from, other), particle) == particle) continue;
                    next.push_back(other);
                    if (other < particle) result.push_back({other, particle, distance});
                }
        std::sort(result.begin() + first, result.end(),
                  [](auto const& a, auto const& b) { return a.particle1 < b.particle1; });
    }
    return result;
}

}  // namespace trotter::app::force_field
