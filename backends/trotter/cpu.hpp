// The Cpu backend with all its kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common.hpp>
#include <trotter/cpu/core.hpp>
#include <trotter/cpu/custom_gb.hpp>
#include <trotter/cpu/gbsa.hpp>
#include <trotter/cpu/nonbonded.hpp>
#include <trotter/reference/all_fallbacks.hpp>
