// Kinetic energy; momentum of the center of mass and its removal.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `sums` receives the momentum of each of MOMENTUM_PARTS work-groups for each copy of a System: x of all, then y, then
/// z. Both kernels run in work-groups of 64, as many for each copy.
inline constexpr char const* motion = R"(
#define COPY_ATOMS (NUM_ATOMS/COPIES)
#define GROUPS_OF_COPY (NUM_GROUPS/COPIES)

KERNEL void sum_momentum(GLOBAL const mixed4* RESTRICT velocities, GLOBAL coordinate* RESTRICT sums) {
    LOCAL coordinate scratch[64];
    const int copy = COPIES > 1 ? GROUP_ID/MOMENTUM_PARTS : 0, group = GROUP_ID - MOMENTUM_PARTS*copy;
    velocities += copy*COPY_ATOMS;
    sums += 3*MOMENTUM_PARTS*copy;
    coordinate3 momentum = make_coordinate3(0, 0, 0);
    for (int i = 64*group + LOCAL_ID; i < COPY_ATOMS; i += 64*MOMENTUM_PARTS) {
        const mixed4 v = velocities[i];
        if (v.w != 0) momentum += make_coordinate3(v.x, v.y, v.z)*(1/(coordinate) v.w);
    }
    if (LOCAL_ID < 3) sums[LOCAL_ID*MOMENTUM_PARTS + group] = 0;
    SYNC_THREADS
    // Each group adds to sums[GROUP_ID] of what it is given.
    sums -= MOMENTUM_PARTS*copy;
    add_group_sum(momentum.x, scratch, sums);
    add_group_sum(momentum.y, scratch, sums + MOMENTUM_PARTS);
    add_group_sum(momentum.z, scratch, sums + 2*MOMENTUM_PARTS);
}

KERNEL void stop_motion(GLOBAL mixed4* RESTRICT velocities, GLOBAL const coordinate* RESTRICT sums, coordinate inverse_mass) {
    LOCAL coordinate scratch[3][64];
    const int copy = COPIES > 1 ? GROUP_ID/GROUPS_OF_COPY : 0, group = GROUP_ID - copy*GROUPS_OF_COPY;
    velocities += copy*COPY_ATOMS;
    sums += 3*MOMENTUM_PARTS*copy;
    for (int axis = 0; axis < 3; ++axis) {
        coordinate sum = 0;
        for (int n = LOCAL_ID; n < MOMENTUM_PARTS; n += 64) sum += sums[axis*MOMENTUM_PARTS + n];
        scratch[axis][LOCAL_ID] = sum;
    }
    SYNC_THREADS
    for (int split = 32; split > 0; split /= 2) {
        if (LOCAL_ID < split)
            for (int axis = 0; axis < 3; ++axis) scratch[axis][LOCAL_ID] += scratch[axis][LOCAL_ID + split];
        SYNC_THREADS
    }
    for (int i = 64*group + LOCAL_ID; i < COPY_ATOMS; i += 64*GROUPS_OF_COPY) {
        const mixed4 v = velocities[i];
        if (v.w != 0)
            velocities[i] = make_mixed4((mixed) (v.x - scratch[0][0]*inverse_mass), (mixed) (v.y - scratch[1][0]*inverse_mass),
                                        (mixed) (v.z - scratch[2][0]*inverse_mass), v.w);
    }
}
)";

/// Velocities advanced by `offset` [ps] with the present forces; NaN for a particle with a non-finite force.
inline constexpr char const* shifted_velocities = R"(
KERNEL void shift_velocities(GLOBAL const mixed4* RESTRICT velocities, GLOBAL const mm_long* RESTRICT forces, coordinate offset,
                             GLOBAL mixed4* RESTRICT shifted) {
    const mm_long failed = forces[3*PADDED_NUM_ATOMS] - 1;
    for (int i = GLOBAL_ID; i < NUM_ATOMS; i += GLOBAL_SIZE) {
        const mixed4 v = velocities[i];
        coordinate3 change = force_on(forces, i)*(offset*v.w);
        if (i == failed) change.x = (coordinate) NAN;
        shifted[i] = make_mixed4((mixed) (v.x + change.x), (mixed) (v.y + change.y), (mixed) (v.z + change.z), v.w);
    }
}
)";

/// Each work-group of 64 returns its part of Σ m v²/2 [kJ/mol].
inline constexpr char const* kinetic_energy = R"(
KERNEL void sum_kinetic_energy(GLOBAL const mixed4* RESTRICT velocities, GLOBAL coordinate* RESTRICT sums) {
    LOCAL coordinate scratch[64];
    coordinate sum = 0;
    for (int i = GLOBAL_ID; i < NUM_ATOMS; i += GLOBAL_SIZE) {
        const mixed4 v = velocities[i];
        if (v.w != 0) sum += ((coordinate) v.x*v.x + (coordinate) v.y*v.y + (coordinate) v.z*v.z)/v.w;
    }
    if (LOCAL_ID == 0) sums[GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(sum/2, scratch, sums);
}
)";

}  // namespace trotter::kernels
