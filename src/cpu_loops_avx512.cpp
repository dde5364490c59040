// The inner loops of the Cpu backend for AVX-512.
// SPDX-License-Identifier: MIT
#include <trotter/cpu/runtime_loops.hpp>

namespace trotter::cpu {

#if defined(__x86_64__)
extern constinit InstructionSet const avx512_loops;
constinit InstructionSet const avx512_loops = instruction_set_of<xsimd::default_arch>("avx512");
#endif

}  // namespace trotter::cpu
