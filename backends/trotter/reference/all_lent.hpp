// The kernels of Reference that the other backends borrow, all of them.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/reference/callback_force.hpp>
#include <trotter/reference/compiled_kernel.hpp>
#include <trotter/reference/constant_potential.hpp>
#include <trotter/reference/lent.hpp>
