// Contexts of the standard System, each compiled in a separate file in `contexts/`.
// SPDX-License-Identifier: MIT
#include <trotter/contexts/all.hpp>

namespace trotter {

template std::span<CompiledContext const> compiled_contexts<StandardForces>();

}  // namespace trotter
