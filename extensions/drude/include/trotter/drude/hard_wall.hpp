// A hard wall around the parents of Drude particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/drude/joined.hpp>

namespace trotter::drude {

/// Reflects Drude particles that are farther from their parents than `distance` [nm], with the mean speed of the
/// `temperature` [K] of their relative motion (J. Chowdhary et al., J. Phys. Chem. B 117, 9142 (2013)). `dt` is the
/// step that took them there [ps]. Throws SimulationError for one beyond twice the distance.
void reflect(HostState& host, std::vector<Pair> const& pairs, double distance, double temperature, double dt);

}  // namespace trotter::drude
