// The standard System on the Reference backend.
// SPDX-License-Identifier: MIT
#include <trotter/reference.hpp>

#include "compiled_context_members.hpp"

namespace trotter {

template class CompiledContext<Reference, Double>;

}  // namespace trotter
