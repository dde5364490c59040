// Forces that the host computes from positions, whatever the backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <trotter/common/host_state.hpp>

namespace trotter {

/// To be called when a kernel is made that will have work for the host.
template <class EngineType> void expect_host_task(EngineType& engine) {
    if constexpr (requires { engine.device.host_forces; }) engine.device.host_forces.expect();
}

/// Calls `work(positions, forces)`, which adds forces: at once where the host holds the state, and when the evaluation
/// ends where a device does, which then has all else to do. So what `work` finds is known when the evaluation ends.
template <class EngineType, class Work> void add_host_task(EngineType& engine, Work work) {
    if constexpr (requires { engine.device.host_forces; })
        engine.device.host_forces.add(std::move(work), engine.device);
    else
        work(engine.host.positions, engine.host.forces);
}

/// What an engine of some forces of a System looks at when their kernels are made.
inline void give_setting(HostState const& from, HostState& to) {
    to.is_periodic = from.is_periodic;
    to.removes_motion = from.removes_motion;
}

/// Declares what kernels on one engine have declared to that of the Context.
inline void declare_all(HostState const& from, HostState& to) {
    for (auto const& [name, value] : from.parameters.values())
        to.parameters.declare(name, from.parameters.default_value(name));
    for (auto const& [name, value] : from.parameter_derivatives) to.parameter_derivatives.emplace(name, 0);
}

/// Everything that forces may depend on.
inline void copy_state(HostState const& from, std::vector<Vec3<>> const& positions, HostState& to) {
    to.positions = positions;
    to.box = from.box;
    to.time = from.time;
    to.step_count = from.step_count;
    to.box_virial = from.box_virial;
    for (auto const& [name, value] : from.parameters.values())
        if (to.parameters.has(name)) to.parameters.set(name, value);
    for (auto& [name, value] : to.parameter_derivatives) value = 0;
}

}  // namespace trotter
