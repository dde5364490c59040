// The Contexts of the standard System: each is compiled in a file of its own, in `contexts/`.
// SPDX-License-Identifier: MIT
#include <trotter/contexts/all.hpp>

namespace trotter {

template std::span<CompiledContext const> compiled_contexts<StandardForces>();

}  // namespace trotter
