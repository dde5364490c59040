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

    Queue open() const { return Queue(device); }
};

}  // namespace trotter
