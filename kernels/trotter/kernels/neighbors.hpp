// Each particle's neighbours, where a force asks for sets of them.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Stands behind `sets`. The k-th neighbour of particle i is neighbors[k*NUM_ATOMS + i], ascending, where k is less
/// than the capacity; counts[i] is how many it has. Those of i are behind it where NEIGHBORS_FOLLOW is defined.
inline constexpr char const* neighbors = R"(
// The first neighbour of i that is not before `from`, or NUM_ATOMS.
inline DEVICE int next_neighbor(int i, int from, GLOBAL const coordinate4* RESTRICT positions,
                                GLOBAL const coordinate4* RESTRICT box, GLOBAL const coordinate4* RESTRICT blocks,
                                GLOBAL const int* RESTRICT begins, GLOBAL const int* RESTRICT excluded) {
    const coordinate3 x = trimTo3(positions[i]);
    int j = from;
    while (j < NUM_ATOMS) {
        const int block = j/SETS_BLOCK, end = min((block + 1)*SETS_BLOCK, NUM_ATOMS);
        if (may_be_near(x, blocks, block, box))
            for (; j < end; ++j)
                if (j != i && are_near(x - trimTo3(positions[j]), box) && !are_excluded(begins, excluded, i, j))
                    return j;
        j = end;
    }
    return NUM_ATOMS;
}

// The same of one that the list has no room for: found from the list's last one on.
inline DEVICE int late_neighbor(int i, int k, int capacity, GLOBAL const int* RESTRICT neighbors,
                                GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                                GLOBAL const coordinate4* RESTRICT blocks, GLOBAL const int* RESTRICT begins,
                                GLOBAL const int* RESTRICT excluded) {
    int j = neighbors[(capacity - 1)*NUM_ATOMS + i];
    for (int n = capacity; n <= k; ++n) j = next_neighbor(i, j + 1, positions, box, blocks, begins, excluded);
    return j;
}

KERNEL void find_neighbors(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                           GLOBAL const coordinate4* RESTRICT blocks, GLOBAL const int* RESTRICT begins,
                           GLOBAL const int* RESTRICT excluded, GLOBAL int* RESTRICT neighbors,
                           GLOBAL int* RESTRICT counts, int capacity) {
    for (int i = GLOBAL_ID; i < NUM_ATOMS; i += GLOBAL_SIZE) {
        int count = 0;
#ifdef NEIGHBORS_FOLLOW
        int j = i;
#else
        int j = -1;
#endif
        for (;;) {
            j = next_neighbor(i, j + 1, positions, box, blocks, begins, excluded);
            if (j == NUM_ATOMS) break;
            if (count < capacity) neighbors[count*NUM_ATOMS + i] = j;
            ++count;
        }
        counts[i] = count;
    }
}
)";

/// Defined with SET_SIZE and SET_FIXED: brings a set, whose first SET_FIXED particles stay, into the first order that
/// `allowed` allows, whose bit n says of each particle whether it may stand at place n. Orders are those that come from
/// exchanging the first with each from the first on, and so on with the second. Returns 0 where none is allowed.
inline constexpr char const* set_orders = R"(
inline DEVICE int arrange(int* set, GLOBAL const int* RESTRICT allowed) {
    int chosen[SET_SIZE];
    int place = SET_FIXED, step = 0;
    for (int n = 0; n < SET_FIXED; ++n)
        if (!(allowed[set[n]] >> n & 1)) return 0;
    for (int n = 0; n < SET_SIZE; ++n) chosen[n] = n;
    while (place < SET_SIZE) {
        const int other = chosen[place];
        if (other < SET_SIZE) {
            step = set[place];
            set[place] = set[other];
            set[other] = step;
            if (allowed[set[place]] >> place & 1) {
                ++place;
                if (place < SET_SIZE) chosen[place] = place;
                continue;
            }
        } else {
            --place;
            if (place < SET_FIXED) return 0;
        }
        // What was exchanged at this place did not do.
        step = set[place];
        set[place] = set[chosen[place]];
        set[chosen[place]] = step;
        ++chosen[place];
    }
    return 1;
}
)";

}  // namespace trotter::kernels
