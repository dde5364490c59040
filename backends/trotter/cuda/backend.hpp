// The tag of the Cuda backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <trotter/cuda/queue.hpp>

namespace trotter {

/// A device of CUDA.
struct Cuda {
    static constexpr std::string_view name = "Cuda";  ///< in messages
    static constexpr bool keeps_state_on_host = true;  ///< a `HostBackend`: the integrators of the host run on it
    using Queue = cuda::Queue;  ///< an open device

    int device = 0;  ///< as CUDA counts them
    int copies = 1;  ///< that a System's particles are, which do not see each other: `Replicas` makes such Systems

    /// Throws UnsupportedError where there is no such device.
    Queue open() const { return Queue(device); }
};

}  // namespace trotter
