// All of Trotter but the backends and files: Systems, forces, integrators, Contexts, States.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/context.hpp>
#include <trotter/minimize.hpp>
#include <trotter/precision.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/state.hpp>
#include <trotter/units.hpp>
#include <trotter/version.hpp>
