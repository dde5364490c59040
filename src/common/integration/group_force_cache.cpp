// Caches forces, energies and derivatives for each set of force groups.
// SPDX-License-Identifier: MIT
#include <trotter/common/integration/group_force_cache.hpp>

namespace trotter::custom_integrator {

void GroupForceCache::evaluate_set(Set& set, ForceQuantities wanted, HostState const& host,
                                   ForceEvaluator const& evaluate) {
    wanted = wanted | set.known;
    wanted.forces = true;
    double const energy = evaluate({set.groups, wanted.energy, wanted.derivatives});
    if (wanted.energy) set.energy = energy;
    if (wanted.derivatives) set.derivatives = host.parameter_derivatives;
    set.known = wanted;
}

double GroupForceCache::derivative(int set, std::string const& parameter) const {
    auto const found = at(set).derivatives.find(parameter);
    return found == at(set).derivatives.end() ? 0 : found->second;
}

void GroupForceCache::invalidate() {
    for (auto& set : sets_) set.known = {};
    in_engine_ = none;
}

}  // namespace trotter::custom_integrator
