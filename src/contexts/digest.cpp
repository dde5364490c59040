// Adds the standard System to the identity in checkpoints.
// SPDX-License-Identifier: MIT
#include "digest.hpp"

namespace trotter {

template void add_system<StandardForces>(StandardSystem const& system, Identity& identity);

}  // namespace trotter
