// The backend tag Cuda.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <trotter/cuda/queue.hpp>

namespace trotter {

/// A CUDA device.
struct Cuda {
    static constexpr std::string_view name = "Cuda";  ///< used in messages
    static constexpr bool keeps_state_on_host = true;  ///< a `HostBackend`: the host's integrators run on it
    using Queue = cuda::Queue;  ///< an open device

    int device = 0;  ///< CUDA's device number
    int copies = 1;  ///< copies of a System's particles that do not interact with each other, as in `Replicas`

    /// Throws UnsupportedError if there is no such device.
    Queue open() const { return Queue(device); }
};

}  // namespace trotter
