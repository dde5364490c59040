// A tree of bounding boxes over particle groups.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `pairs`, a cutoff and NODE_LEVELS.
inline constexpr char const* tree = R"(
// Over the groups there is a tree, so that a list takes a time that hardly depends on how many there are: each node of level 0 has
// 64 successive groups, each of a higher level 32 successive nodes of the level below, which along the Hilbert curve are near each other.
// Boxes of nodes stand behind those of groups, but for the highest level, whose nodes (32 at most) are all looked into.
// Copies, of which each has a tree, have one level.
inline DEVICE int node_count(int level) { return ((COPY_GROUPS - 1) >> (6 + 5*level)) + 1; }
inline DEVICE int first_node(int level) {
    int first = GROUPS;
    for (int n = 0; n < level; ++n) first += node_count(n);
    return first;
}
)";

/// Requires `tree` and more than one level of nodes: bounds all but the highest, with a work-group of 64 for each node.
inline constexpr char const* node_bounds = R"(
KERNEL void bound_nodes(GLOBAL const int* RESTRICT marks, GLOBAL int4* RESTRICT centers, GLOBAL float4* RESTRICT halves) {
    LOCAL float4 low[64];
    LOCAL float4 high[64];
    if (marks[0] == marks[1]) return;
    for (int node = GROUPS + GROUP_ID; node < first_node(NODE_LEVELS - 1); node += NUM_GROUPS) {
        int level = 0;
        while (node >= first_node(level + 1)) ++level;
        const int first = (node - first_node(level)) << (6 + 5*level), end = min(first + (64 << 5*level), GROUPS);
        const int4 base = centers[first];
        float4 least = make_float4(0, 0, 0, 0), most = least;
        for (int group = first + LOCAL_ID; group < end; group += 64) {
            const float4 half_edge = halves[group];
            if (half_edge.x < 0) continue;
            const int4 center = centers[group];
            const float x = fraction_apart(center.x, base.x), y = fraction_apart(center.y, base.y), z = fraction_apart(center.z, base.z);
            least = make_float4(fmin(least.x, x - half_edge.x), fmin(least.y, y - half_edge.y), fmin(least.z, z - half_edge.z), 0);
            most = make_float4(fmax(most.x, x + half_edge.x), fmax(most.y, y + half_edge.y), fmax(most.z, z + half_edge.z), 0);
        }
        low[LOCAL_ID] = least;
        high[LOCAL_ID] = most;
        for (int width = 32; width > 0; width /= 2) {
            SYNC_THREADS
            if (LOCAL_ID < width) {
                const float4 p = low[LOCAL_ID], q = low[LOCAL_ID + width], r = high[LOCAL_ID], s = high[LOCAL_ID + width];
                low[LOCAL_ID] = make_float4(fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z), 0);
                high[LOCAL_ID] = make_float4(fmax(r.x, s.x), fmax(r.y, s.y), fmax(r.z, s.z), 0);
            }
        }
        if (LOCAL_ID == 0) {
            const float4 middle = (low[0] + high[0])*0.5f, half_edge = (high[0] - low[0])*0.5f;
            centers[node] = make_int4((int) ((uint) base.x + (uint) (mm_long) (middle.x*4294967296.0f)),
                                      (int) ((uint) base.y + (uint) (mm_long) (middle.y*4294967296.0f)),
                                      (int) ((uint) base.z + (uint) (mm_long) (middle.z*4294967296.0f)), 0);
            halves[node] = make_float4(half_edge.x + 4e-7f, half_edge.y + 4e-7f, half_edge.z + 4e-7f, 0);
        }
        SYNC_THREADS
    }
}
)";

}  // namespace trotter::kernels
