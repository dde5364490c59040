// The OpenCl backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device.hpp>
#include <trotter/opencl/core.hpp>
