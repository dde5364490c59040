// The standard System on the Cpu backend in single precision.
// SPDX-License-Identifier: MIT
#ifdef TROTTER_HAVE_CPU
#include "cpu_backend.hpp"

namespace trotter {

template class CompiledContext<RuntimeCpu, Single>;

}  // namespace trotter
#endif
