// The energy of particles that heat baths draw from.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Bath b acts on particles[ranges[b]] … particles[ranges[b + 1] - 1]. `sums` gets Σ m v² [kJ/mol] of `parts` groups of
/// 64 work-items for each bath.
inline constexpr char const* heat_baths = R"(
KERNEL void sum_baths(GLOBAL const mixed4* RESTRICT velocities, GLOBAL const int* RESTRICT particles,
                      GLOBAL const int* RESTRICT ranges, GLOBAL coordinate* RESTRICT sums, int parts) {
    LOCAL coordinate scratch[64];
    const int bath = GROUP_ID/parts, part = GROUP_ID - bath*parts, end = ranges[bath + 1];
    coordinate sum = 0;
    for (int n = ranges[bath] + 64*part + LOCAL_ID; n < end; n += 64*parts) {
        const mixed4 v = velocities[particles[n]];
        sum += ((coordinate) v.x*v.x + (coordinate) v.y*v.y + (coordinate) v.z*v.z)/v.w;
    }
    if (LOCAL_ID == 0) sums[GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(sum, scratch, sums);
}
)";

}  // namespace trotter::kernels
