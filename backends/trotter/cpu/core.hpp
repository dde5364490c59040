// The Cpu backend without the kernels of individual forces.
// SPDX-License-Identifier: MIT
#pragma once
// Its engine, forces given by formulas, splitting integrators, and the minimizer. Others have their own headers:
// cpu/nonbonded.hpp, common/containers/atm.hpp, common/integration/nose_hoover.hpp and so on. Most fallbacks to
// Reference are in reference/compiled_kernel.hpp.
#include <trotter/common/core.hpp>
#include <trotter/cpu/dispatch_table.hpp>
#include <trotter/cpu/engine.hpp>
#include <trotter/reference/fallback_forces.hpp>
