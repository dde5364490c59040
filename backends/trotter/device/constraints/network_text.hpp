// Device text for products of kicks, drifts and Ornstein-Uhlenbeck steps on the particles of constraint networks.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {

/// What a group of work-items does to a batch of networks, for the operators from `first` up to `end`. A pass does
/// operators for every particle, up to a constraint; between passes moves and velocities are in memory. Constraints on
/// positions end a section.
std::string act_on_network(StepSequence const& sequence, std::size_t first, std::size_t end);

}  // namespace trotter::device
