// The forces of this extension.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/drude/drude_force.hpp>
#include <trotter/system.hpp>

namespace trotter::drude {

using Forces = ForceList<DrudeForce>;  ///< for Systems of Drude oscillators

}  // namespace trotter::drude
