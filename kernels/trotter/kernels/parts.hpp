// Sums of parts, as other kernels left them, for a kernel that goes on with the total.
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

}  // namespace trotter::kernels
