// The Cpu backend without the kernels of single forces.
// SPDX-License-Identifier: MIT
#pragma once
// Its engine, forces stated by formulas, integrators made of splittings, and the minimizer. The others have headers of
// their names: cpu/nonbonded.hpp, common/containers/atm.hpp, common/integration/nose_hoover.hpp and so on. Most of what
// Cpu borrows from Reference is in reference/compiled_kernel.hpp.
#include <trotter/common/core.hpp>
#include <trotter/cpu/dispatch_table.hpp>
#include <trotter/cpu/engine.hpp>
#include <trotter/reference/fallback_forces.hpp>
