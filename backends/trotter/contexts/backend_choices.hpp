// Construction of backends from run-time choices.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

/// Specialized by each backend: `precisions(P)`, `backend(choice)`. Reference also has `observables<Erased>()`.
template <class B> struct BackendChoices;

}  // namespace trotter
