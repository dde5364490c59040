// The standard System on the OpenCl backend.
// SPDX-License-Identifier: MIT
#include <trotter/opencl.hpp>

#include "device_backend.hpp"

namespace trotter {

template class CompiledContext<RuntimeDevice<OpenCl>, Mixed>;

}  // namespace trotter
