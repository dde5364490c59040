// The standard System on the Cpu backend in double precision.
// SPDX-License-Identifier: MIT
#include <trotter/contexts/cpu.hpp>

#include "digest.hpp"

namespace trotter {

template CompiledContext compiled_context<StandardForces, Cpu, Double>();

}  // namespace trotter
