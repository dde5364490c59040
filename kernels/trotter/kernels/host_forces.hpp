// Adds forces computed on the host.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `more` has the layout of the forces, with the mark of a non-finite force and residuals: see common.hpp.
inline constexpr char const* host_forces = R"(
KERNEL void add_host_forces(GLOBAL mm_ulong* RESTRICT forces, GLOBAL const mm_ulong* RESTRICT more) {
    for (int i = GLOBAL_ID; i < 3*PADDED_NUM_ATOMS; i += GLOBAL_SIZE) {
        forces[i] += more[i];
        if (KEEPS_RESIDUALS) forces[PARTICLE_SUM(0) + i] += more[PARTICLE_SUM(0) + i];
    }
    if (GLOBAL_ID == 0 && more[3*PADDED_NUM_ATOMS] != 0) forces[3*PADDED_NUM_ATOMS] = more[3*PADDED_NUM_ATOMS];
}
)";

}  // namespace trotter::kernels
