// The backend tag OpenCl.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <trotter/opencl/queue.hpp>

namespace trotter {

/// An OpenCL device.
struct OpenCl {
    static constexpr std::string_view name = "OpenCl";  ///< used in messages
    static constexpr bool keeps_state_on_host = true;  ///< a `HostBackend`: the host's integrators run on it
    using Queue = opencl::Queue;  ///< an open device

    int device = 0;  ///< index among the devices of all platforms
    int copies = 1;  ///< copies of a System's particles that do not interact with each other, as in `Replicas`

    /// Throws UnsupportedError if there is no such device.
    Queue open() const { return Queue(device); }
};

}  // namespace trotter
