// The tag of the Cuda backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <trotter/cuda/queue.hpp>

namespace trotter {

/// A device of CUDA.
struct Cuda {
    static constexpr std::string_view name = "Cuda";
    static constexpr bool keeps_state_on_host = true;
    using Queue = cuda::Queue;

    int device = 0;
    int copies = 1;  ///< that a System's particles are, which do not see each other: `Replicas` makes such Systems

    Queue open() const { return Queue(device); }
};

}  // namespace trotter
