// How a State is copied out of a Context, and given back to one.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/request.hpp>
#include <trotter/state.hpp>

namespace trotter {

/// What `Context::state` does.
template <class Context> State copy_state(Context& context, StateData data, ForceGroups const& groups) {
    State result{.time = context.time(), .step_count = context.step_count(), .box = context.box()};
    if (data & StateData::positions) result.positions = context.positions();
    if (data & StateData::velocities) result.velocities = context.velocities();
    if (data & StateData::energy) result.kinetic_energy = context.kinetic_energy();
    if (data & (StateData::energy | StateData::forces | StateData::parameter_derivatives)) {
        double const energy = context.evaluate({groups, data & StateData::energy, data & StateData::parameter_derivatives});
        if (data & StateData::energy) result.potential_energy = energy;
        if (data & StateData::forces) result.forces = context.forces();
        if (data & StateData::parameter_derivatives) result.parameter_derivatives = context.engine().host.parameter_derivatives;
    }
    if (data & StateData::parameters)
        result.parameters.emplace(context.parameters().values().begin(), context.parameters().values().end());
    if (data & StateData::integrator_parameters) result.integrator_parameters = context.integrator_parameters();
    return result;
}

/// What `Context::set_state` does.
template <class Context> void restore_state(Context& context, State const& state) {
    if (state.parameters)
        for (auto const& [name, value] : *state.parameters) context.set_parameter(name, value);
    if (state.box) context.set_box(*state.box);
    if (!state.positions.empty()) context.set_positions(state.positions);
    if (!state.velocities.empty()) context.set_velocities(state.velocities);
    if (state.integrator_parameters) context.set_integrator_parameters(*state.integrator_parameters);
    context.set_time(state.time);
    context.set_step_count(state.step_count);
}

}  // namespace trotter
