// The OpenCl backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/engine.hpp>
#include <trotter/host.hpp>
#include <trotter/opencl/backend.hpp>
