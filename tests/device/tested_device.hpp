// Selects the device of the tests: OpenCl's first one, or Cuda's in the program built for it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>

#ifdef TROTTER_TEST_CUDA
#include <trotter/cuda.hpp>
#else
#include <trotter/opencl.hpp>
#endif

namespace trotter {

#ifdef TROTTER_TEST_CUDA
using TestedDevice = Cuda;
inline std::size_t tested_devices() { return cuda::devices().size(); }
#else
using TestedDevice = OpenCl;
inline std::size_t tested_devices() { return opencl::devices().size(); }
#endif
inline bool has_tested_device() { return tested_devices() > 0; }

/// Changes when recorded steps become invalid or the state is uploaded from the host.
template <class C> auto version_of_steps(C& context) {
    auto const& device = context.engine().device;
    return std::pair{device.queue.version().number(), device.state.arrivals()};
}

/// Whether the integrator keeps the state of a Context on the device, and has done so.
template <class C> bool stays_on_device(C& context) {
    return context.visit_integrator([](auto& kernel) { return kernel.stays_on_device(); })
           && context.engine().is_state_on_device();
}

}  // namespace trotter
