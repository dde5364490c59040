// How each backend is made from what a user chooses.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

/// How a backend is made from the user's choices: `precisions(P)`, `backend(choice)`. Each backend specializes it.
/// Reference also has `observables<Erased>()`.
template <class B> struct BackendChoices;

}  // namespace trotter
