// Copies a State out of a Context, and back into one.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <trotter/base/named_numbers.hpp>
#include <trotter/context/checked_evaluation.hpp>
#include <trotter/core/finite.hpp>
#include <trotter/core/request.hpp>
#include <trotter/error.hpp>
#include <trotter/state.hpp>

namespace trotter {

namespace detail {

template <class Context> std::vector<Vec3<>> const& checked_forces(Context& context, ForceGroups const& groups) {
    auto const& forces = context.forces();
    if (int const particle = first_not_finite(forces, context.engine().host.threads); particle >= 0)
        throw_nan_force(context, particle, {groups, false});
    return forces;
}
/// Throws NotFiniteError that names the force whose derivative by this parameter is not finite.
template <class Context> [[noreturn, gnu::cold]] void blame_derivative(Context& context, std::string const& name) {
    std::string source = "the sum of all forces";
    double& derivative = context.engine().host.parameter_derivatives.at(name);
    for (int force = 0; force < context.force_count(); ++force) {
        derivative = 0;
        context.evaluate_one(force, {.energy = false, .parameter_derivatives = true});
        if (std::isfinite(derivative)) continue;
        context.system().visit_force(force, [&]<class F>(F const&) {
            source = force_named(force, F::name);
        });
        break;
    }
    throw NotFiniteError(
        "", "the derivative of the energy by '" + name + "' is not a finite number; it comes from " + source);
}
template <class Context> EnergyDerivatives const& checked_derivatives(Context& context) {
    auto const& derivatives = context.engine().host.parameter_derivatives;
    for (auto const& [name, value] : derivatives)
        if (!std::isfinite(value)) blame_derivative(context, std::string(name));
    return derivatives;
}
/// Throws NotFiniteError for the kinetic energy of finite velocities: either the forces that shift them to the time of
/// the positions are not finite, or a square overflows.
template <class Context> [[noreturn, gnu::cold]] void blame_kinetic_energy(Context& context) {
    evaluate_checked(context, {context.engine().host.integration_groups, false});
    auto const slower = [](Vec3<> const& u, Vec3<> const& v) { return std::hypot(u.x, u.y, u.z) < std::hypot(v.x, v.y, v.z); };
    auto const& velocities = context.velocities();
    auto const fastest = std::max_element(velocities.begin(), velocities.end(), slower) - velocities.begin();
    throw NotFiniteError("", "the kinetic energy is not a finite number; the fastest particle is " + std::to_string(fastest));
}

}  // namespace detail

/// Implements `Context::state`. Throws NotFiniteError for a value that is not finite.
template <class Context> State copy_state(Context& context, StateData data, ForceGroups const& groups) {
    State result{.time = context.time(), .step_count = context.step_count(), .box = context.box()};
    if (data & StateData::positions) result.positions = context.positions();
    if (data & StateData::velocities) result.velocities = context.velocities();
    double kinetic_energy = 0;
    if (data & StateData::energy) kinetic_energy = context.kinetic_energy();
    if (data & (StateData::energy | StateData::forces | StateData::parameter_derivatives)) {
        double const energy = context.evaluate({groups, data & StateData::energy, data & StateData::parameter_derivatives});
        if (data & StateData::parameter_derivatives)
            result.parameter_derivatives = detail::checked_derivatives(context);
        // An energy is meaningless where forces are not finite.
        auto const& forces = detail::checked_forces(context, groups);
        if (data & StateData::energy) result.potential_energy = energy;
        if (data & StateData::forces) result.forces = forces;
    }
    if (data & StateData::energy) {
        if (!std::isfinite(kinetic_energy)) detail::blame_kinetic_energy(context);
        result.kinetic_energy = kinetic_energy;
    }
    if (data & StateData::parameters)
        result.parameters.emplace(context.parameters().values().begin(), context.parameters().values().end());
    if (data & StateData::integrator_parameters) result.integrator_parameters = context.integrator_parameters();
    return result;
}

/// Implements `Context::set_state` but for the integrator parameters.
template <class Context> void restore_state(Context& context, State const& state) {
    if (state.parameters)
        for (auto const& [name, value] : *state.parameters) context.set_parameter(name, value);
    if (state.box) context.set_box(*state.box);
    if (!state.positions.empty()) context.set_positions(state.positions);
    if (!state.velocities.empty()) context.set_velocities(state.velocities);
    context.set_time(state.time);
    context.set_step_count(state.step_count);
}

}  // namespace trotter
