// The standard System on the Cpu backend in double precision.
// SPDX-License-Identifier: MIT
#ifdef TROTTER_HAVE_CPU
#include "cpu_backend.hpp"

namespace trotter {

template class CompiledContext<RuntimeCpu, Double>;

}  // namespace trotter
#endif
