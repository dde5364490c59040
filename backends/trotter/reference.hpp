// The Reference backend with all its kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/host.hpp>
#include <trotter/reference/callback_force.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/reference/gbsa.hpp>
#include <trotter/reference/nonbonded.hpp>
