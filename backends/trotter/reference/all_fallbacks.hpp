// All kernels of Reference that other backends use as fallbacks.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/reference/callback_force.hpp>
#include <trotter/reference/compiled_kernel.hpp>
#include <trotter/reference/constant_potential.hpp>
#include <trotter/reference/fallback_forces.hpp>
