// What every simulation may need: integrators made of splittings, and the minimizer.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/integration/splitting.hpp>
#include <trotter/common/integration/variable_step.hpp>
#include <trotter/common/minimization/minimizer.hpp>
