// Forces of pairs without a cutoff between particles too far apart for the loops.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <trotter/common/fallback/host_tasks.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/registration.hpp>

namespace trotter::cpu {

/// Whether all distances count, and points that are 32-bit numbers of steps, near which coordinates are small, cannot
/// be dense enough for them: there are no more than 2^31 along an axis, and at most 4 nm apart they should be.
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

/// What the Reference backend says, added to the forces of `host`; returns the energy. `make(engine)` takes what is to be
/// computed, and returns a function that computes it. Slow, and right for all distances: particles that flew away so far
/// are rare.
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
