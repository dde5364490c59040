// Reference fallback for pairs without a cutoff whose distances exceed the range of the Cpu loops.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <trotter/common/fallback/host_tasks.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/registration.hpp>

namespace trotter::cpu {

/// For forces without a cutoff: whether the system is too long for 32-bit cluster references. These have at most 2^31
/// grid points along an axis, which should be at most 4 nm apart so that coordinates relative to them stay small.
template <class Arch> bool are_too_far_apart(std::vector<Vec3<>> const& positions) {
    constexpr double most = 0x1p30;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double low = positions[0][axis], high = low;
        for (auto const& position : positions) {
            low = std::min(low, position[axis]);
            high = std::max(high, position[axis]);
        }
        if (high - low > most) return true;
    }
    return false;
}

/// Adds the forces of the Reference backend to those of `host`; returns the energy. `make(engine)` sets up the
/// computation and returns a function that runs it. Slow, but correct at all distances; such particles are rare.
template <class Arch, class Make>
double compute_by_reference(HostState& host, Request const& request, Make const& make) {
    Engine<Reference, Double> engine(Reference{}, Particles{.masses = host.particles.masses}, host.box, host.seed);
    give_setting(host, engine.host);
    auto compute = make(engine);
    copy_state(host, host.positions, engine.host);
    engine.begin(request);
    double const energy = compute();
    engine.finish(request);
    for (std::size_t i = 0; i < host.size(); ++i) host.forces[i] += engine.host.forces[i];
    if (request.parameter_derivatives)
        for (auto const& [name, value] : engine.host.parameter_derivatives) host.parameter_derivatives[name] += value;
    return energy;
}

}  // namespace trotter::cpu
