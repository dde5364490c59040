// The OpenCl backend without the kernels of individual forces: see device/core.hpp.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/core.hpp>
#include <trotter/opencl/backend.hpp>
#include <trotter/opencl/compiled_for_opencl.hpp>
