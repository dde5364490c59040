// Bookkeeping of a step: its number, earlier positions, and forces for the next one.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Advances the number that random numbers depend on.
inline constexpr char const* step_counter = R"(
KERNEL void count_step(GLOBAL mm_ulong* counter) { counter[0] += 1; }
)";

inline constexpr char const* copied_positions = R"(
KERNEL void copy_positions(GLOBAL const coordinate4* RESTRICT positions, GLOBAL coordinate4* RESTRICT copy) {
    for (int i = GLOBAL_ID; i < PADDED_NUM_ATOMS; i += GLOBAL_SIZE) copy[i] = positions[i];
}
)";

/// Stores the forces as those of a set, and clears them.
inline constexpr char const* kept_forces = R"(
KERNEL void keep_forces(GLOBAL mm_long* RESTRICT forces, GLOBAL mm_long* RESTRICT kept, int set) {
    for (int i = GLOBAL_ID; i < PADDED_NUM_ATOMS; i += GLOBAL_SIZE) {
        for (int n = i; n < 3*PADDED_NUM_ATOMS; n += PADDED_NUM_ATOMS) kept[n + 3*PADDED_NUM_ATOMS*set] = forces[n];
        clear_force(forces, i);
    }
}
)";

}  // namespace trotter::kernels
