// The standard System on the Reference backend.
// SPDX-License-Identifier: MIT
#include <trotter/contexts/reference.hpp>

#include "digest.hpp"

namespace trotter {

template CompiledContext compiled_context<StandardForces, Reference, Double>();

}  // namespace trotter
