// The inner loops of the Cpu backend for SSE4.1.
// SPDX-License-Identifier: MIT
#include <trotter/cpu/runtime_loops.hpp>

namespace trotter::cpu {

#if defined(__x86_64__)
extern constinit InstructionSet const sse4_loops;
constinit InstructionSet const sse4_loops = instruction_set_of<xsimd::default_arch>("sse4");
#endif

}  // namespace trotter::cpu
