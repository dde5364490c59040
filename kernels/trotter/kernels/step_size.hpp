// The estimate that steps of variable size follow.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `sums` gets Σ (F/m)² of each group of 64.
inline constexpr char const* step_size = R"(
KERNEL void sum_accelerations(GLOBAL const mixed4* RESTRICT velocities, GLOBAL const mm_long* RESTRICT forces,
                              GLOBAL coordinate* RESTRICT sums) {
    LOCAL coordinate scratch[64];
    coordinate sum = 0;
    for (int i = GLOBAL_ID; i < NUM_ATOMS; i += GLOBAL_SIZE) {
        const coordinate inverse_mass = velocities[i].w;
        const coordinate3 acceleration = force_on(forces, i)*inverse_mass;
        sum += dot(acceleration, acceleration);
    }
    if (LOCAL_ID == 0) sums[GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(sum, scratch, sums);
}
)";

}  // namespace trotter::kernels
