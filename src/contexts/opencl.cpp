// The standard System on the OpenCl backend.
// SPDX-License-Identifier: MIT
#include <trotter/contexts/device.hpp>
#include <trotter/opencl.hpp>

#include "digest.hpp"

namespace trotter {

template CompiledContext compiled_context<StandardForces, RuntimeDevice<OpenCl>, Mixed>();

}  // namespace trotter
