// Forces computed on the host from positions, on any backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <trotter/common/host_state.hpp>

namespace trotter {

/// Announces host work; to be called by a kernel's constructor.
template <class EngineType> void expect_host_task(EngineType& engine) {
    if constexpr (requires { engine.device.host_forces; }) engine.device.host_forces.expect();
}

/// Calls `work(positions, forces)`, which adds forces: at once on host backends, at the end of the evaluation on
/// devices, which meanwhile compute everything else. So results of `work` are available when the evaluation ends.
template <class EngineType, class Work> void add_host_task(EngineType& engine, Work work) {
    if constexpr (requires { engine.device.host_forces; })
        engine.device.host_forces.add(std::move(work), engine.device);
    else
        work(engine.host.positions, engine.host.forces);
}

/// Copies the settings that kernel constructors read to another engine's state.
inline void give_setting(HostState const& from, HostState& to) {
    to.is_periodic = from.is_periodic;
    to.removes_motion = from.removes_motion;
}

/// Declares the parameters and derivatives of one engine to that of the Context.
inline void declare_all(HostState const& from, HostState& to) {
    for (auto const& [name, value] : from.parameters.values())
        to.parameters.declare(name, from.parameters.default_value(name));
    for (auto const& [name, value] : from.parameter_derivatives) to.parameter_derivatives.emplace(name, 0);
}

/// Copies all inputs of forces.
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
