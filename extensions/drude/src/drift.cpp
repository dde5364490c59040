// Drift of positions with constraints.
// SPDX-License-Identifier: MIT
#include <trotter/drude/drift.hpp>

#include <cstddef>

#include <trotter/common/integration/common.hpp>

namespace trotter::drude {

void Drift::operator()(HostState& host, double dt, double constraint_tolerance) {
    bool const is_constrained = !host.constraints.empty();
    if (is_constrained) copy_vectors(host.threads, host.positions, start_);
    host.threads.for_each(host.size(), [&](std::size_t i) {
        if (host.inverse_masses[i] != 0) host.positions[i] += host.velocities[i] * dt;
    });
    if (!is_constrained) return;
    copy_vectors(host.threads, host.positions, moved_);
    constrain_positions(host, start_, constraint_tolerance);
    host.threads.for_each(host.size(), [&](std::size_t i) {
        if (host.inverse_masses[i] != 0) host.velocities[i] += (host.positions[i] - moved_[i]) * (1 / dt);
    });
}

}  // namespace trotter::drude
