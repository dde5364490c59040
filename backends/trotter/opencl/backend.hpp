// The tag of the OpenCl backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <trotter/opencl/queue.hpp>

namespace trotter {

/// A device of OpenCL.
struct OpenCl {
    static constexpr std::string_view name = "OpenCl";  ///< in messages
    static constexpr bool keeps_state_on_host = true;  ///< a `HostBackend`: the integrators of the host run on it
    using Queue = opencl::Queue;  ///< an open device

    int device = 0;  ///< counts the devices of all platforms
    int copies = 1;  ///< that a System's particles are, which do not see each other: `Replicas` makes such Systems

    /// Throws UnsupportedError where there is no such device.
    Queue open() const { return Queue(device); }
};

}  // namespace trotter
