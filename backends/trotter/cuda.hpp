// The Cuda backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cuda/core.hpp>
#include <trotter/device.hpp>
