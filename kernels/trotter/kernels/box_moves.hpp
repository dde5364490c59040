// Moves particles into another box.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `map` holds the images of the three unit vectors. Molecule m has the particles starts[m] to starts[m + 1] - 1 and a
/// work-group of 64; its center, the unweighted mean of positions, follows the map. Every particle is in a molecule.
inline constexpr char const* box_moves = R"(
inline DEVICE coordinate3 image_of(coordinate3 p, GLOBAL const coordinate4* RESTRICT map) {
    return trimTo3(map[0])*p.x + trimTo3(map[1])*p.y + trimTo3(map[2])*p.z;
}

KERNEL void move_molecules(GLOBAL coordinate4* RESTRICT positions, GLOBAL const int* RESTRICT particles,
                           GLOBAL const int* RESTRICT starts, GLOBAL const coordinate4* RESTRICT map, int count) {
    LOCAL coordinate4 scratch[64];
    for (int molecule = GROUP_ID; molecule < count; molecule += NUM_GROUPS) {
        const int first = starts[molecule], end = starts[molecule + 1];
        coordinate4 sum = make_coordinate4(0, 0, 0, 0);
        for (int n = first + LOCAL_ID; n < end; n += LOCAL_SIZE) sum += positions[particles[n]];
        scratch[LOCAL_ID] = sum;
        SYNC_THREADS
        for (int split = LOCAL_SIZE/2; split > 0; split /= 2) {
            if (LOCAL_ID < split) scratch[LOCAL_ID] += scratch[LOCAL_ID + split];
            SYNC_THREADS
        }
        const coordinate3 center = trimTo3(scratch[0])*(1/(coordinate) (end - first));
        const coordinate3 shift = image_of(center, map) - center;
        for (int n = first + LOCAL_ID; n < end; n += LOCAL_SIZE) {
            const int atom = particles[n];
            const coordinate4 p = positions[atom];
            positions[atom] = make_coordinate4(p.x + shift.x, p.y + shift.y, p.z + shift.z, p.w);
        }
        SYNC_THREADS
    }
}

KERNEL void move_particles(GLOBAL coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT map) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const coordinate4 p = positions[atom];
        const coordinate3 moved = image_of(trimTo3(p), map);
        positions[atom] = make_coordinate4(moved.x, moved.y, moved.z, p.w);
    }
}
)";

}  // namespace trotter::kernels
