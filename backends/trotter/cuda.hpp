// The Cuda backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cuda/backend.hpp>
#include <trotter/device.hpp>
