// The last stages of sums over all work-items of a launch.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Each group of 64 work-items adds up the next `parts` sums; its first work-item may then read the total.
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

/// One group for each slot of `sums`, which has `width` numbers; `totals` gets their sum. Stands behind `parts`.
inline constexpr char const* sums = R"(
KERNEL void add_up(GLOBAL const coordinate* RESTRICT sums, GLOBAL coordinate* RESTRICT totals, int width) {
    LOCAL coordinate scratch[64];
    add_parts(sums, width, scratch, totals);
}
)";

}  // namespace trotter::kernels
