// Includes what every program needs: Systems, forces, integrators, Contexts, States. Backends include the minimizer.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/context.hpp>
#include <trotter/forces/callback_force.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/precision.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/state.hpp>
#include <trotter/units.hpp>
#include <trotter/version.hpp>
