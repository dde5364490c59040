// Identity of the standard System in checkpoints: compiled once for all backends.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/context/digest.hpp>
#include <trotter/standard_system.hpp>

namespace trotter {

extern template void add_system<StandardForces>(StandardSystem const& system, Identity& identity);

}  // namespace trotter
