// Error estimate of variable-step integrators.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `sums` receives Σ (F/m)² of each work-group of 64. The kernel that chooses a step size is to be continued.
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

// `rules` are tolerance, maximum size, end time, temperature and friction; `clock` holds the last step size and the time,
// then an invalid size and its mark.
KERNEL void choose_step(GLOBAL const coordinate* RESTRICT sums, int parts, GLOBAL coordinate* RESTRICT total,
                        GLOBAL const coordinate* RESTRICT rules, GLOBAL coordinate* RESTRICT clock,
                        GLOBAL coordinate* RESTRICT numbers, GLOBAL int* RESTRICT failures) {
    LOCAL coordinate scratch[64];
    add_parts(sums, parts, scratch, total);
    if (LOCAL_ID != 0) return;
    const coordinate last = clock[0], room = rules[2] - clock[1], tolerance = rules[0], limit = fmin(rules[1], room);
    const coordinate temperature = rules[3], friction = rules[4];
    const coordinate acceleration = sqrt(total[0]/(3*(coordinate) NUM_ATOMS));
)";
/// Its last lines, with the size in `next`.
inline constexpr char const* take_step = R"(
    if (!(next > 0 && next < 1e300)) {
        if (clock[3] == 0) clock[2] = next;
        clock[3] = 1;
        failures[0] = 1;
    }
    clock[1] = next == room ? rules[2] : clock[1] + next;
    clock[0] = next;
}
)";

}  // namespace trotter::kernels
