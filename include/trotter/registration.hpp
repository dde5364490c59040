// Index and random stream of a force or integrator.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace trotter {

/// What the constructor of a kernel is told about the force or integrator that it is for.
struct Registration {
    int index = 0;             ///< of the force in its System, or of the integrator in its Context
    std::uint32_t stream = 0;  ///< of its random numbers: see `RandomStream`
};

}  // namespace trotter
