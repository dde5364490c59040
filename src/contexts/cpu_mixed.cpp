// The standard System on the Cpu backend in mixed precision.
// SPDX-License-Identifier: MIT
#ifdef TROTTER_HAVE_CPU
#include "cpu_backend.hpp"

namespace trotter {

template class CompiledContext<RuntimeCpu, Mixed>;

}  // namespace trotter
#endif
