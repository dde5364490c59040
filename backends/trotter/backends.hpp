// Every backend of this build.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/reference.hpp>
#ifdef TROTTER_HAVE_CPU
#include <trotter/cpu.hpp>
#endif
#ifdef TROTTER_HAVE_OPENCL
#include <trotter/opencl.hpp>
#endif
#ifdef TROTTER_HAVE_CUDA
#include <trotter/cuda.hpp>
#endif
