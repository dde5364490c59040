// The standard System on the Cpu backend in mixed precision.
// SPDX-License-Identifier: MIT
#include <trotter/contexts/cpu.hpp>

#include "digest.hpp"

namespace trotter {

template CompiledContext compiled_context<StandardForces, Cpu, Mixed>();

}  // namespace trotter
