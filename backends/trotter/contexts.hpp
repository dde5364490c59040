// Compiles the Contexts for `AnyContext`, for your own list of forces on every backend of the build.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/backends.hpp>
#include <trotter/contexts/all.hpp>
#include <trotter/contexts/reference.hpp>
#ifdef TROTTER_HAVE_CPU
#include <trotter/contexts/cpu.hpp>
#endif
#if defined(TROTTER_HAVE_OPENCL) || defined(TROTTER_HAVE_CUDA)
#include <trotter/contexts/device.hpp>
#endif
