// Index and random stream of a force or integrator.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace trotter {

/// Identifies the force or integrator of a kernel.
struct Registration {
    int index = 0;             ///< of the force in its System, or of the integrator in its Context
    std::uint32_t stream = 0;  ///< of its random numbers: see `RandomStream`
};

}  // namespace trotter
