// CustomIntegrators that are splittings with several time steps: RESPA.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <trotter/common/integration/operator_sequence.hpp>
#include <trotter/integrators/custom.hpp>

namespace trotter {

/// A CustomIntegrator that is a sequence of operators: the form that OpenMM's MTSIntegrator and MTSLangevinIntegrator have.
struct MultipleSteps {
    OperatorSequence sequence{};
    bool changes_state = false;  ///< begins with UpdateContextState
    int unconstrained = -1;      ///< the per-DOF variable that keeps the positions before they were constrained, or -1
    int decay = -1, spread = -1, thermal_energy = -1;  ///< global variables of a O: v = decay v + spread √(kT/m) ξ
};
/// That sequence, or nothing where the integrator is none.
std::optional<MultipleSteps> recognize_multiple_steps(CustomIntegrator const& integrator);

}  // namespace trotter
