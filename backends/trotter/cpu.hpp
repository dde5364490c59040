// The Cpu backend with all its kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/core.hpp>
#include <trotter/cpu/custom_gb.hpp>
#include <trotter/cpu/gbsa.hpp>
#include <trotter/cpu/nonbonded.hpp>
#include <trotter/host.hpp>
#include <trotter/reference/all_lent.hpp>
