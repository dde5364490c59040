// Neighbors and exceptions of each particle of HIPPO.
// SPDX-License-Identifier: MIT
#include "pairs.hpp"

#include <algorithm>
#include <optional>

namespace trotter::amoeba::hippo {
namespace {

NeighborList neighbor_list(HippoNonbondedForce const& force) {
    std::vector<std::vector<int>> excluded;
    for (std::size_t i = 0; i < force.particles.size(); ++i) excluded.push_back({static_cast<int>(i)});
    return {force.uses_cutoff() ? std::optional(force.cutoff_distance) : std::nullopt, std::move(excluded)};
}

}  // namespace

// Without cutoff, pairs at distances whose squares overflow do not interact.
Pairs::Pairs(HippoNonbondedForce const& force)
    : is_periodic_(force.is_periodic()),
      most_square_(force.uses_cutoff() ? force.cutoff_distance * force.cutoff_distance
                                       : std::numeric_limits<double>::max()),
      neighbors_(neighbor_list(force)) {
    set_exceptions(force);
}

void Pairs::set_exceptions(HippoNonbondedForce const& force) {
    exceptions_.assign(force.particles.size(), {});
    for (auto const& exception : force.exceptions) {
        auto const i = static_cast<std::size_t>(exception.particle1), j = static_cast<std::size_t>(exception.particle2);
        exceptions_[i].emplace_back(j, exception);
        exceptions_[j].emplace_back(i, exception);
    }
    for (auto& list : exceptions_)
        std::sort(list.begin(), list.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
}

}  // namespace trotter::amoeba::hippo
