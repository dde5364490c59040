// Recognizes CustomIntegrators that are multiple time step (RESPA) splittings.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <trotter/common/integration/operator_sequence.hpp>
#include <trotter/integrators/custom.hpp>

namespace trotter {

/// A CustomIntegrator as a sequence of operators, as in OpenMM's MTSIntegrator and MTSLangevinIntegrator.
struct MultipleSteps {
    OperatorSequence sequence{};
    bool changes_state = false;  ///< begins with UpdateContextState
    int unconstrained = -1;      ///< per-DOF variable that stores the unconstrained positions, or -1
    int decay = -1, spread = -1, thermal_energy = -1;  ///< global variables of O: v = decay v + spread √(kT/m) ξ
};
/// Returns that sequence, or nothing for other integrators.
std::optional<MultipleSteps> recognize_multiple_steps(CustomIntegrator const& integrator);

}  // namespace trotter
