// The standard System on the Cpu backend in mixed precision.
// SPDX-License-Identifier: MIT
#ifdef TROTTER_HAVE_CPU
#include <trotter/cpu.hpp>

#include "compiled_context_members.hpp"

namespace trotter {

template class CompiledContext<BasicCpu<cpu::RuntimeArch>, Mixed>;

}  // namespace trotter
#endif
