// The standard System on the Cuda backend.
// SPDX-License-Identifier: MIT
#include <trotter/cuda.hpp>

#include "device_backend.hpp"

namespace trotter {

template class CompiledContext<RuntimeDevice<Cuda>, Mixed>;

}  // namespace trotter
