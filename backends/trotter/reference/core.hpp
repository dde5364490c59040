// The Reference backend without the kernels of single forces.
// SPDX-License-Identifier: MIT
#pragma once
// Its engine, forces stated by formulas, integrators made of splittings, and the minimizer. A force with a kernel of its
// own has a header of its name beside this one, an integrator one in host/integrators/.
#include <trotter/host/core.hpp>
#include <trotter/reference/engine.hpp>
