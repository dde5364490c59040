// Final stages of sums over all work-items of a launch.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Each work-group of 64 adds up the next `parts` sums; its first work-item may then read the total.
inline constexpr char const* parts = R"(
inline DEVICE void add_parts(GLOBAL const coordinate* RESTRICT sums, int parts, LOCAL_ARG coordinate* scratch,
                             GLOBAL coordinate* RESTRICT totals) {
    coordinate sum = 0;
    for (int n = LOCAL_ID; n < parts; n += LOCAL_SIZE) sum += sums[GROUP_ID*parts + n];
    if (LOCAL_ID == 0) totals[GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(sum, scratch, totals);
}
)";

/// One work-group per slot of `sums`, which has `width` numbers; `totals` receives their sum. Requires `parts`.
inline constexpr char const* sums = R"(
KERNEL void add_up(GLOBAL const coordinate* RESTRICT sums, GLOBAL coordinate* RESTRICT totals, int width) {
    LOCAL coordinate scratch[64];
    add_parts(sums, width, scratch, totals);
}
)";

/// Adds stored summands to accumulators: each element of `ranges` has their begin, their number, the accumulator, and
/// the element of `wanted` that must be set.
inline constexpr char const* kept_sums = R"(
KERNEL void add_kept(GLOBAL const coordinate* RESTRICT values, GLOBAL const int4* RESTRICT ranges, int count,
                     GLOBAL const int* RESTRICT wanted, GLOBAL coordinate* RESTRICT sums) {
    LOCAL coordinate scratch[64];
    for (int n = 0; n < count; ++n) {
        const int4 range = ranges[n];
        const int end = wanted[range.w] ? range.y : 0;
        coordinate sum = 0;
        for (int i = GLOBAL_ID; i < end; i += GLOBAL_SIZE) sum += values[range.x + i];
        add_group_sum(sum, scratch, sums + range.z*SUM_WIDTH);
    }
}
)";

}  // namespace trotter::kernels
