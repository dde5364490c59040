// A stable radix sort, four bits at a time, and sort keys along a Hilbert curve.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `pairs` and `extents`. Work-groups of 64, each with 1024 keys. A pass is `sort_count`, `sort_scan` in one
/// work-group of 256, `sort_scatter`.
inline constexpr char const* sort = R"(
#define SORT_TILE 1024

inline DEVICE void sort_fill_bins(GLOBAL const uint* RESTRICT keys, LOCAL_ARG int* bins, int shift, int count) {
    for (int bin = 0; bin < 16; ++bin) bins[bin*64 + LOCAL_ID] = 0;
    for (int n = 0; n < 16; ++n) {
        const int index = GROUP_ID*SORT_TILE + LOCAL_ID*16 + n;
        if (index < count) ++bins[(int) (keys[index] >> shift & 15)*64 + LOCAL_ID];
    }
    SYNC_THREADS
}

KERNEL void sort_count(GLOBAL const uint* RESTRICT keys, GLOBAL int* RESTRICT sums, int shift, int count) {
    LOCAL int bins[16*64];
    sort_fill_bins(keys, bins, shift, count);
    if (LOCAL_ID >= 16) return;
    int sum = 0;
    for (int n = 0; n < 64; ++n) sum += bins[LOCAL_ID*64 + n];
    sums[LOCAL_ID*NUM_GROUPS + GROUP_ID] = sum;
}

KERNEL void sort_scan(GLOBAL int* RESTRICT sums, int count) {
    LOCAL int before[256];
    const int share = (count + 255)/256, first = LOCAL_ID*share, end = first + share < count ? first + share : count;
    int sum = 0;
    for (int n = first; n < end; ++n) sum += sums[n];
    before[LOCAL_ID] = sum;
    SYNC_THREADS
    sum = 0;
    for (int n = 0; n < LOCAL_ID; ++n) sum += before[n];
    for (int n = first; n < end; ++n) {
        const int mine = sums[n];
        sums[n] = sum;
        sum += mine;
    }
}

KERNEL void sort_scatter(GLOBAL const uint* RESTRICT keys, GLOBAL const int* RESTRICT values, GLOBAL const int* RESTRICT sums,
                         GLOBAL uint* RESTRICT keys_out, GLOBAL int* RESTRICT values_out, int shift, int count) {
    LOCAL int bins[16*64];
    sort_fill_bins(keys, bins, shift, count);
    if (LOCAL_ID < 16) {
        int sum = sums[LOCAL_ID*NUM_GROUPS + GROUP_ID];
        for (int n = 0; n < 64; ++n) {
            const int mine = bins[LOCAL_ID*64 + n];
            bins[LOCAL_ID*64 + n] = sum;
            sum += mine;
        }
    }
    SYNC_THREADS
    for (int n = 0; n < 16; ++n) {
        const int index = GROUP_ID*SORT_TILE + LOCAL_ID*16 + n;
        if (index < count) {
            const uint key = keys[index];
            const int rank = bins[(int) (key >> shift & 15)*64 + LOCAL_ID]++;
            keys_out[rank] = key;
            values_out[rank] = values[index];
        }
    }
}

// The place of a point of 2^8 x 2^8 x 2^8 cells along a Hilbert curve (J. Skilling, AIP Conf. Proc. 707, 381 (2004)).
inline DEVICE uint hilbert_rank(uint x, uint y, uint z) {
    uint axes[3];
    axes[0] = x;
    axes[1] = y;
    axes[2] = z;
    for (uint bit = 128; bit > 1; bit >>= 1) {
        const uint below = bit - 1;
        for (int n = 0; n < 3; ++n)
            if (axes[n] & bit)
                axes[0] ^= below;
            else {
                const uint differing = (axes[0] ^ axes[n]) & below;
                axes[0] ^= differing;
                axes[n] ^= differing;
            }
    }
    axes[1] ^= axes[0];
    axes[2] ^= axes[1];
    uint flips = 0;
    for (uint bit = 128; bit > 1; bit >>= 1)
        if (axes[2] & bit) flips ^= bit - 1;
    uint rank = 0;
    for (int bit = 7; bit >= 0; --bit)
        for (int n = 0; n < 3; ++n) rank = rank << 1 | ((axes[n] ^ flips) >> bit & 1);
    return rank;
}

// Padding stands behind all particles, that of each copy behind that of the one before.
inline DEVICE int copy_of_particle(int n) {
    return n < NUM_ATOMS ? n/COPY_ATOMS : (n - NUM_ATOMS)/max((PADDED_NUM_ATOMS - NUM_ATOMS)/COPIES, 1);
}

KERNEL void hilbert_keys(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT gaps,
                         GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT extents, GLOBAL uint* RESTRICT keys,
                         GLOBAL int* RESTRICT values) {
#ifndef COPY_FRAMES
    const Frame frame = near_frame(positions, gaps, 0, box, whole_extent(extents));
#endif
    for (int n = GLOBAL_ID; n < PADDED_NUM_ATOMS; n += GLOBAL_SIZE) {
#ifdef COPY_FRAMES
        const int copy = copy_of_particle(n);
        const Frame frame = near_frame(positions, gaps, COPY_ATOMS*copy, box, whole_extent(extents + EXTENTS*copy));
#endif
        values[n] = n;
        keys[n] = 0xffffff;
        if (n < NUM_ATOMS) {
            const int4 p = fractions_of(frame, near_position(positions, gaps, n), n);
#ifdef USE_PERIODIC
            keys[n] = hilbert_rank((uint) p.x >> 24, (uint) p.y >> 24, (uint) p.z >> 24);
#else
            // All stand in the middle half of the frame.
            const uint middle = 1u << 30;
            keys[n] = hilbert_rank(((uint) p.x + middle) >> 23 & 255, ((uint) p.y + middle) >> 23 & 255, ((uint) p.z + middle) >> 23 & 255);
#endif
        }
    }
}

// Behind the sort along the curve: the copies stay together.
KERNEL void copy_keys(GLOBAL const int* RESTRICT values, GLOBAL uint* RESTRICT keys) {
    for (int n = GLOBAL_ID; n < PADDED_NUM_ATOMS; n += GLOBAL_SIZE) keys[n] = (uint) copy_of_particle(values[n]);
}

KERNEL void take_order(GLOBAL const int* RESTRICT atoms, GLOBAL int* RESTRICT slot_of, GLOBAL coordinate4* RESTRICT built_box) {
    for (int slot = GLOBAL_ID; slot < PADDED_NUM_ATOMS; slot += GLOBAL_SIZE) slot_of[atoms[slot]] = slot;
    FOR_COPIES(copy) built_box[3*copy].x = 0;
}
)";

}  // namespace trotter::kernels
