// The Reference backend with all its kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common.hpp>
#include <trotter/reference/all_fallbacks.hpp>
#include <trotter/reference/core.hpp>
#include <trotter/reference/nonbonded.hpp>
#include <trotter/reference/stages.hpp>
