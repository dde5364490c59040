// What a CustomIntegrator knows of the forces.
// SPDX-License-Identifier: MIT
#include <utility>

#include <trotter/host/integrators/group_forces.hpp>

namespace trotter::custom_integrator {

GroupForces::GroupForces(std::vector<ForceGroups> const& sets, std::size_t particles) {
    for (auto const& groups : sets) sets_.push_back({.groups = groups, .forces = std::vector<Vec3<>>(particles)});
}

void GroupForces::provide(std::vector<Knowledge> const& needs, std::vector<Knowledge> const& worth_knowing,
                          HostEngine& host, ForceEvaluator const& evaluate) {
    for (std::size_t n = 0; n < needs.size(); ++n) {
        auto& set = sets_[n];
        if (set.known.covers(needs[n])) continue;
        // The engine has room for one set.
        if (in_engine_ != none && in_engine_ != n) std::swap(host.forces, sets_[in_engine_].forces);
        in_engine_ = n;
        auto wanted = needs[n] | worth_knowing[n] | set.known;
        wanted.forces = true;
        double const energy = evaluate({set.groups, wanted.energy, wanted.derivatives});
        if (wanted.energy) set.energy = energy;
        if (wanted.derivatives) set.derivatives = host.parameter_derivatives;
        set.known = wanted;
    }
}

std::vector<Vec3<>> const& GroupForces::forces(int set, HostEngine const& host) const {
    return static_cast<std::size_t>(set) == in_engine_ ? host.forces : at(set).forces;
}

double GroupForces::derivative(int set, std::string const& parameter) const {
    auto const found = at(set).derivatives.find(parameter);
    return found == at(set).derivatives.end() ? 0 : found->second;
}

void GroupForces::forget() {
    for (auto& set : sets_) set.known = {};
    in_engine_ = none;
}
void GroupForces::remember(HostEngine& host) {
    if (in_engine_ != none) known_.remember(host);
}
void GroupForces::forget_if_changed(HostEngine const& host) {
    if (in_engine_ != none && !known_.hold(host)) forget();
}

}  // namespace trotter::custom_integrator
