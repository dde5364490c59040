// What checkpoints know of the standard System.
// SPDX-License-Identifier: MIT
#include "digest.hpp"

namespace trotter {

template void add_system<StandardForces>(StandardSystem const& system, Identity& identity);

}  // namespace trotter
