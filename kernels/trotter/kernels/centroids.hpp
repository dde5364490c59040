// Centroids of particle groups, and distribution of their forces to the particles.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Members of group g are particles[begins[g]] to particles[begins[g + 1] - 1], whose weights add up to 1. Forces on
/// centroids are fixed-point numbers like those on particles: x, y and z of group g are at g, g + CENTROIDS and g +
/// 2*CENTROIDS, a mark of a non-finite force at g + 3*CENTROIDS; then the residuals of x, y and z.
inline constexpr char const* centroid_forces = R"(
inline DEVICE void add_centroid_force(GLOBAL mm_ulong* RESTRICT forces, int group, coordinate3 force) {
    add_fine(forces, group, group + 4*CENTROIDS, force.x);
    add_fine(forces, group + CENTROIDS, group + 5*CENTROIDS, force.y);
    add_fine(forces, group + 2*CENTROIDS, group + 6*CENTROIDS, force.z);
    const coordinate size = fabs(force.x) + fabs(force.y) + fabs(force.z);
    if (IS_LARGE(size)) watch_sums(size, forces + group, CENTROIDS, forces + group + 3*CENTROIDS, 1);
}
)";

/// A work-group of 64 per group of particles.
inline constexpr char const* centroids = R"(
KERNEL void find_centroids(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const int* RESTRICT begins,
                           GLOBAL const int* RESTRICT particles, GLOBAL const coordinate* RESTRICT weights,
                           GLOBAL coordinate4* RESTRICT centroids, GLOBAL mm_ulong* RESTRICT forces) {
    LOCAL coordinate sums[3*64];
    const int group = GROUP_ID;
    coordinate x = 0, y = 0, z = 0;
    for (int n = begins[group] + LOCAL_ID; n < begins[group + 1]; n += LOCAL_SIZE) {
        const coordinate4 at = positions[particles[n]];
        x += weights[n]*at.x;
        y += weights[n]*at.y;
        z += weights[n]*at.z;
    }
    sums[LOCAL_ID] = x;
    sums[LOCAL_ID + 64] = y;
    sums[LOCAL_ID + 128] = z;
    SYNC_THREADS
    for (int split = LOCAL_SIZE/2; split > 0; split /= 2) {
        if (LOCAL_ID < split)
            for (int axis = 0; axis < 3; ++axis) sums[64*axis + LOCAL_ID] += sums[64*axis + LOCAL_ID + split];
        SYNC_THREADS
    }
    if (LOCAL_ID == 0) centroids[group] = make_coordinate4(sums[0], sums[64], sums[128], 0);
    if (LOCAL_ID < 7) forces[group + LOCAL_ID*CENTROIDS] = 0;
}

inline DEVICE coordinate on_centroid(GLOBAL const mm_long* RESTRICT forces, int group, int axis) {
    const coordinate unit = (coordinate) 2.3283064365386963e-10;
    const coordinate rest = KEEPS_RESIDUALS ? unit*(coordinate) forces[group + (4 + axis)*CENTROIDS] : (coordinate) 0;
    return unit*((coordinate) forces[group + axis*CENTROIDS] + rest);
}

KERNEL void spread_centroid_forces(GLOBAL mm_ulong* RESTRICT forces, GLOBAL const mm_long* RESTRICT on_centroids,
                                   GLOBAL const int* RESTRICT begins, GLOBAL const int* RESTRICT particles,
                                   GLOBAL const coordinate* RESTRICT weights) {
    const int group = GROUP_ID;
    const coordinate3 force = make_coordinate3(on_centroid(on_centroids, group, 0), on_centroid(on_centroids, group, 1),
                                               on_centroid(on_centroids, group, 2));
    if (on_centroids[group + 3*CENTROIDS] != 0) forces[3*PADDED_NUM_ATOMS] = particles[begins[group]] + 1;
    for (int n = begins[group] + LOCAL_ID; n < begins[group + 1]; n += LOCAL_SIZE)
        add_fine_force(forces, particles[n], make_coordinate3(weights[n]*force.x, weights[n]*force.y, weights[n]*force.z));
}
)";

}  // namespace trotter::kernels
