// Which device the tests of devices run on: OpenCl's first one, or CUDA's in the program that is built for it.
// SPDX-License-Identifier: MIT
#pragma once
#ifdef TROTTER_TEST_CUDA
#include <trotter/cuda.hpp>
#else
#include <trotter/opencl.hpp>
#endif

namespace trotter {

#ifdef TROTTER_TEST_CUDA
using TestedDevice = Cuda;
#else
using TestedDevice = OpenCl;
#endif

}  // namespace trotter
