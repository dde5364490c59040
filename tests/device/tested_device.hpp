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
inline bool has_tested_device() { return !cuda::devices().empty(); }
#else
using TestedDevice = OpenCl;
inline bool has_tested_device() { return !opencl::devices().empty(); }
#endif

}  // namespace trotter
