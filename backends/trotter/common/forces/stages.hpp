// Staged forces on the host: order of evaluation, independent of the formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/parts/stages.hpp>
#include <trotter/parts/terms/term_formula.hpp>

namespace trotter {

/// Computes values in order, then energies, then the chain rule in reverse; returns the energy.
template <class Stages> double evaluate_stages(Stages& stages, HostState& host) {
    for (std::size_t k = 0; k < stages.value_count(); ++k) stages.find_values(k, host);
    double const energy = stages.add_energies(host);
    for (std::size_t k = stages.value_count(); k-- > 0;) stages.pass_on(k, host);
    return energy;
}

/// Validates the force and declares its global parameters; returns it. Throws InputError if it is invalid.
template <HasStages F> F const& checked_stages(F const& force, HostState& host) {
    check(force, host.particles.count(), host.box);
    declare_parameters(force, host.parameters, host.parameter_derivatives);
    return force;
}

/// Adds the requested derivatives by global parameters.
template <HasStages F>
void give_parameter_derivatives(F const& force, std::vector<double> const& by_global, HostState& host) {
    auto const globals = detail::declared_parameters(force);
    auto const wanted = detail::derivative_names(force);
    for (std::size_t n = 0; n < globals.size(); ++n)
        if (std::find(wanted.begin(), wanted.end(), globals[n].name) != wanted.end())
            host.parameter_derivatives[globals[n].name] += by_global[n];
}

}  // namespace trotter
