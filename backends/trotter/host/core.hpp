// What every simulation on Reference and Cpu may need: integrators made of splittings, and the minimizer.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/host/integrators/splitting.hpp>
#include <trotter/host/integrators/variable_step.hpp>
#include <trotter/host/minimizer.hpp>
