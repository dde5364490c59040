// The motion of the centre of mass: its momentum, and how it is taken away.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `sums` gets the momentum of each of the 64 groups: x of all, then y, then z. Both kernels run in groups of 64.
inline constexpr char const* motion = R"(
KERNEL void sum_momentum(GLOBAL const mixed4* RESTRICT velocities, GLOBAL coordinate* RESTRICT sums) {
    LOCAL coordinate scratch[64];
    coordinate3 momentum = make_coordinate3(0, 0, 0);
    for (int i = GLOBAL_ID; i < NUM_ATOMS; i += GLOBAL_SIZE) {
        const mixed4 v = velocities[i];
        if (v.w != 0) momentum += make_coordinate3(v.x, v.y, v.z)*(1/(coordinate) v.w);
    }
    if (LOCAL_ID < 3) sums[LOCAL_ID*NUM_GROUPS + GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(momentum.x, scratch, sums);
    add_group_sum(momentum.y, scratch, sums + NUM_GROUPS);
    add_group_sum(momentum.z, scratch, sums + 2*NUM_GROUPS);
}

KERNEL void stop_motion(GLOBAL mixed4* RESTRICT velocities, GLOBAL const coordinate* RESTRICT sums, coordinate inverse_mass) {
    LOCAL coordinate scratch[3][64];
    for (int axis = 0; axis < 3; ++axis) scratch[axis][LOCAL_ID] = sums[axis*64 + LOCAL_ID];
    SYNC_THREADS
    for (int split = 32; split > 0; split /= 2) {
        if (LOCAL_ID < split)
            for (int axis = 0; axis < 3; ++axis) scratch[axis][LOCAL_ID] += scratch[axis][LOCAL_ID + split];
        SYNC_THREADS
    }
    for (int i = GLOBAL_ID; i < NUM_ATOMS; i += GLOBAL_SIZE) {
        const mixed4 v = velocities[i];
        if (v.w != 0)
            velocities[i] = make_mixed4((mixed) (v.x - scratch[0][0]*inverse_mass), (mixed) (v.y - scratch[1][0]*inverse_mass),
                                        (mixed) (v.z - scratch[2][0]*inverse_mass), v.w);
    }
}
)";

}  // namespace trotter::kernels
