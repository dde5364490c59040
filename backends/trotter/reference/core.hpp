// The Reference backend without the kernels of individual forces.
// SPDX-License-Identifier: MIT
#pragma once
// Engine, forces given by formulas, splitting integrators, and the minimizer. Most other forces are in
// compiled_kernel.hpp, the rest in headers of their names; integrators are in common/integration/.
#include <trotter/common/core.hpp>
#include <trotter/reference/engine.hpp>
