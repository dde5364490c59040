// The standard System on the Cuda backend.
// SPDX-License-Identifier: MIT
#include <trotter/contexts/device.hpp>
#include <trotter/cuda.hpp>

#include "digest.hpp"

namespace trotter {

template CompiledContext compiled_context<StandardForces, RuntimeDevice<Cuda>, Mixed>();

}  // namespace trotter
