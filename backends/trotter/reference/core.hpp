// The Reference backend without the kernels of single forces.
// SPDX-License-Identifier: MIT
#pragma once
// Its engine, forces stated by formulas, integrators made of splittings, and the minimizer. Of forces with a kernel of
// their own, most are in compiled_kernel.hpp, the others in headers of their names; integrators are in
// common/integration/.
#include <trotter/common/core.hpp>
#include <trotter/reference/engine.hpp>
