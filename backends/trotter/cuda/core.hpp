// The Cuda backend without the kernels of individual forces: see device/core.hpp.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cuda/backend.hpp>
#include <trotter/cuda/compiled_for_cuda.hpp>
#include <trotter/device/core.hpp>
