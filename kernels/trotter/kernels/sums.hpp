// The last stage of sums over all work-items of a launch.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// One group for each slot of `sums`, which has `width` numbers; `totals` gets their sum.
inline constexpr char const* sums = R"(
KERNEL void add_up(GLOBAL const coordinate* RESTRICT sums, GLOBAL coordinate* RESTRICT totals, int width) {
    LOCAL coordinate scratch[64];
    coordinate sum = 0;
    for (int n = LOCAL_ID; n < width; n += LOCAL_SIZE) sum += sums[GROUP_ID*width + n];
    if (LOCAL_ID == 0) totals[GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(sum, scratch, totals);
}
)";

}  // namespace trotter::kernels
