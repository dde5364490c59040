// What forces share that find sets of particles which are near each other: distances, exclusions, and boxes of blocks.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// SETS_CUTOFF is defined where there is a cutoff [nm], SETS_PERIODIC where distances are those to nearest images. A
/// block is SETS_BLOCK particles that follow each other in a list; `blocks` has the middle of its box, then half of
/// the box's edges and of its diagonal.
inline constexpr char const* sets = R"(
#define SETS_BLOCK 32

inline DEVICE coordinate3 set_image(coordinate3 d, GLOBAL const coordinate4* RESTRICT box) {
#ifdef SETS_PERIODIC
    return nearest_image(d, box);
#else
    return d;
#endif
}

// At the cutoff itself a pair is out.
inline DEVICE int are_near(coordinate3 d, GLOBAL const coordinate4* RESTRICT box) {
#ifdef SETS_CUTOFF
    const coordinate3 image = set_image(d, box);
    return dot(image, image) < (coordinate) SETS_CUTOFF*(coordinate) SETS_CUTOFF;
#else
    return 1;
#endif
}

// Whether some particle of the block may be near x. Where one is, the middle of the box is not farther away than the
// cutoff and half of the diagonal: an image at such a distance is the nearest if that is less than half of the
// periodic box.
inline DEVICE int may_be_near(coordinate3 x, GLOBAL const coordinate4* RESTRICT blocks, int block,
                              GLOBAL const coordinate4* RESTRICT box) {
#ifdef SETS_CUTOFF
    const coordinate4 half_edges = blocks[2*block + 1];
#ifdef SETS_PERIODIC
    const coordinate least = fmin(box[0].x, fmin(box[1].y, box[2].z));
    if ((coordinate) SETS_CUTOFF + half_edges.w >= least/2) return 1;
#endif
    const coordinate3 d = set_image(x - trimTo3(blocks[2*block]), box);
    const coordinate3 gap = make_coordinate3(fmax(fabs(d.x) - half_edges.x, (coordinate) 0),
                                             fmax(fabs(d.y) - half_edges.y, (coordinate) 0),
                                             fmax(fabs(d.z) - half_edges.z, (coordinate) 0));
    return dot(gap, gap) < (coordinate) SETS_CUTOFF*(coordinate) SETS_CUTOFF;
#else
    return 1;
#endif
}

// Whether j is among the ascending partners of i.
inline DEVICE int are_excluded(GLOBAL const int* RESTRICT begins, GLOBAL const int* RESTRICT partners, int i, int j) {
    int low = begins[i], high = begins[i + 1];
    const int end = high;
    while (low < high) {
        const int middle = (low + high)/2;
        if (partners[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && partners[low] == j;
}

KERNEL void find_blocks(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                        GLOBAL const int* RESTRICT particles, int count, GLOBAL coordinate4* RESTRICT blocks) {
    for (int block = GLOBAL_ID; block*SETS_BLOCK < count; block += GLOBAL_SIZE) {
        const int begin = block*SETS_BLOCK, end = min(begin + SETS_BLOCK, count);
        const coordinate3 first = trimTo3(positions[particles[begin]]);
        coordinate3 low = make_coordinate3(0, 0, 0), high = make_coordinate3(0, 0, 0);
        for (int n = begin + 1; n < end; ++n) {
            const coordinate3 d = set_image(trimTo3(positions[particles[n]]) - first, box);
            low = make_coordinate3(fmin(low.x, d.x), fmin(low.y, d.y), fmin(low.z, d.z));
            high = make_coordinate3(fmax(high.x, d.x), fmax(high.y, d.y), fmax(high.z, d.z));
        }
        // A little more, for what was rounded.
        const coordinate more = (coordinate) 1e-5;
        const coordinate3 middle = first + (coordinate) 0.5*(low + high), edges = (coordinate) 0.5*(high - low);
        const coordinate3 safe = make_coordinate3(edges.x + more, edges.y + more, edges.z + more);
        blocks[2*block] = make_coordinate4(middle.x, middle.y, middle.z, 0);
        blocks[2*block + 1] = make_coordinate4(safe.x, safe.y, safe.z, sqrt(dot(safe, safe)));
    }
}
)";

/// Particles of a block.
inline constexpr int sets_block = 32;

}  // namespace trotter::kernels
