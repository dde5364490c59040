// Kernels for every simulation: splitting integrators and the minimizer.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/integration/splitting.hpp>
#include <trotter/common/integration/variable_step.hpp>
#include <trotter/common/minimization/minimizer.hpp>
