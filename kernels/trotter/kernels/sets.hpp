// What forces share that find sets of particles which are near each other: distances, exclusions, orders of a set.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// SETS_CUTOFF is defined where there is a cutoff [nm], SETS_PERIODIC where distances are those to nearest images.
inline constexpr char const* sets = R"(
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
