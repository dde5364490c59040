// When induced dipoles are converged.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::amoeba {

/// Debye per e nm, as in OpenMM's definition of convergence.
inline constexpr double debye = 48.033324;

/// Throws SimulationError for induced dipoles whose rms error is `error` [D] after `iterations`.
[[noreturn]] void refuse_induction(int iterations, double error, double target);

}  // namespace trotter::amoeba
