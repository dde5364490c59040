// What checkpoints know of the standard System: compiled once, not for each backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/context/digest.hpp>
#include <trotter/standard_system.hpp>

namespace trotter {

extern template void add_system<StandardForces>(StandardSystem const& system, Identity& identity);

}  // namespace trotter
