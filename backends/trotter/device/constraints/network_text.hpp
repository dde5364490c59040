// Generates kernel source for sequences of V, R and O operators on the particles of constraint networks.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {

/// Source by which a work-group applies the operators from `first` up to `end` to a batch of networks. A pass applies
/// operators to every particle, up to a constraint; between passes, moves and velocities are in memory. Position
/// constraints end a section.
std::string act_on_network(StepSequence const& sequence, std::size_t first, std::size_t end);

}  // namespace trotter::device
