// Entries of pair lists: their format, and where they are stored.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `pairs` and `tree`; only with a cutoff. A list has an entry for each particle j within LIST_RANGE of a
/// particle of the group: its slot, and from bit 28 on which j clusters these are in. Entries with exclusions are
/// `special` and have an exclusion mask.
inline constexpr char const* list_entries = R"(
// Padding has a large fourth number. Others have half of the square of their distance from the group's centre where the group
// `is_small`: rounding of the product form is then no matter.
inline DEVICE real4 own_position(Edges e, bool is_small, int4 p, int4 center) {
    const real3 position = apart(e, p, center);
    const real half_square = is_small ? (position.x*position.x + position.y*position.y + position.z*position.z)/2 : 0;
    return p.w < NUM_ATOMS ? make_real4(position.x, position.y, position.z, half_square) : make_real4(0, 0, 0, 1e9f);
}
// Bit n: some particle of j cluster n is in range of one at `position`.
inline DEVICE uint j_clusters_near(Edges e, Reach reach, bool is_small, bool is_compact, LOCAL_ARG const real4* own, real3 position) {
    if (reach.sees_all) return 15;
    uint mask = 0;
    const real half_square = is_small ? (position.x*position.x + position.y*position.y + position.z*position.z)/2 : 0;
    for (int j_cluster = 0; j_cluster < 4; ++j_cluster) {
        real nearest = LIST_RANGE*LIST_RANGE;
        UNROLL
        for (int n = 0; n < 8; ++n) {
            const real4 mine = own[8*j_cluster + n];
            if (is_small)
                nearest = fmin(nearest, mine.w - mine.x*position.x - mine.y*position.y - mine.z*position.z);
            else {
                real3 d = make_real3(mine.x - position.x, mine.y - position.y, mine.z - position.z);
                if (!is_compact) d = wrapped(e, d);
                nearest = fmin(nearest, (d.x*d.x + d.y*d.y + d.z*d.z)/2 + mine.w);
            }
        }
        if (nearest + half_square < LIST_RANGE*LIST_RANGE/2) mask |= 1u << j_cluster;
    }
    return mask;
}
// Whether a particle at `position`, as seen from the group's centre, may be in range of one of the group's box.
inline DEVICE bool is_near_box(Reach reach, bool is_compact, float4 half_edge, real3 position) {
    if (!is_compact || !reach.is_rectangular) return true;
    const real x = fmax(fabs(position.x) - half_edge.x*reach.ax, (real) 0), y = fmax(fabs(position.y) - half_edge.y*reach.by, (real) 0),
               z = fmax(fabs(position.z) - half_edge.z*reach.cz, (real) 0);
    return x*x + y*y + z*z < LIST_RANGE*LIST_RANGE;
}
// Masks whose neighbours in this order differ in one j cluster: lanes of a chunk then need the same j clusters.
inline DEVICE int gray_rank(uint mask) { return (int) (mask ^ mask >> 1 ^ mask >> 2 ^ mask >> 3); }

// Lanes that go in step, and wait for each other and for all of a list; one where none do. Bit n of `lanes_where`: lane n meets the
// condition. All lanes must call it.
#if WARP_SIZE >= 32
#define LANES 32
#define SYNC_LANES SYNC_WARPS
#define SYNC_LIST SYNC_THREADS
#else
#define LANES 1
#define SYNC_LANES
#define SYNC_LIST
#endif
#if LANES == 1
inline DEVICE uint lanes_where(bool condition) { return condition ? 1 : 0; }
#else
inline DEVICE uint lanes_where(bool condition) { return BALLOT(condition); }
#endif
inline DEVICE int count_before(int n, uint bits) { return popcount(bits & ((1u << n) - 1)); }
inline DEVICE int lowest_bit(uint bits) { return popcount((bits & (0 - bits)) - 1); }

// The group whose list is made, and where particles and boxes are; `is_compact` as in the function of that name.
typedef struct { Edges edges; Reach reach; int group; int4 center; float4 half_edge; bool is_small, is_compact; } Goal;
typedef struct { GLOBAL const int4* slots; GLOBAL const int4* centers; GLOBAL const float4* halves; } SlotArrays;
typedef struct { GLOBAL const int* starts; GLOBAL const int* partners; GLOBAL const int* slot_of; GLOBAL const int2* groups; } Exclusions;
// All of a list share the positions of the group's `own` particles, the `stack` of nodes still to be looked into, and
// of those that are just looked into what is `near`. Lanes that go in step have their own `candidates` near the group's
// box, `entries` that were found, special ones from the begin and others from the end, and `bins`, which count entries
// of the same j clusters and then number them.
typedef struct { LOCAL_ARG real4* own; LOCAL_ARG int* stack; LOCAL_ARG int2* near; LOCAL_ARG int* candidates; LOCAL_ARG uint* entries;
                 LOCAL_ARG int* bins; } Shared;
// Where entries go, with the first of the list and the number of special ones. While entries are counted it `is_open`.
typedef struct { bool is_open; GLOBAL uint* first; int special; } Target;

// Special entries come first, others next to those of the same j clusters.
#define BINS 16
inline DEVICE int bin_of(uint mask) { return mask >= 16 ? 0 : gray_rank(mask); }

// Numbers the entries of each bin by lanes.
inline DEVICE int number_in_bin(Shared shared, bool is_entry, int bin) {
    uint alike = lanes_where(is_entry);
    for (int bit = 1; bit < BINS; bit *= 2) {
        const uint with = lanes_where((bin & bit) != 0);
        alike &= (bin & bit) != 0 ? with : ~with;
    }
    const int before = count_before(LANE, alike), number = is_entry ? shared.bins[bin] + before : 0;
    SYNC_LANES
    if (is_entry && before == 0) shared.bins[bin] += popcount(alike);
    SYNC_LANES
    return number;
}
inline DEVICE void write_entry(Goal goal, SlotArrays arrays, Exclusions exclusions, Target target, uint entry, bool is_special, int number) {
    if (!is_special)
        target.first[target.special + number] = entry;
    else {
        const int atom = arrays.slots[entry & 0xfffffff].w;
        target.first[number] = entry;
        target.first[target.special + number] = exclusion_word(atom, goal.group, exclusions.starts, exclusions.partners, exclusions.slot_of);
    }
}
// Entries that were kept: special ones, then others.
inline DEVICE void write_kept(Goal goal, SlotArrays arrays, Exclusions exclusions, Shared shared, Target target, int special, int others) {
    const int special_end = (special + LANES - 1)/LANES*LANES;
    for (int n = LANE; n - LANE < special_end + others; n += LANES) {
        const bool is_special = n < special_end, is_entry = is_special ? n < special : n < special_end + others;
        const uint entry = is_entry ? shared.entries[is_special ? n : LIST_ROOM - 1 - (n - special_end)] : 0;
        const int number = number_in_bin(shared, is_entry, is_special ? 0 : bin_of(entry >> 28));
        if (is_entry) write_entry(goal, arrays, exclusions, target, entry, is_special, number);
    }
}

// Which j clusters a candidate is in range of, and 16 where it has exclusions.
inline DEVICE uint mask_of(Goal goal, SlotArrays arrays, Exclusions exclusions, LOCAL_ARG const real4* own, int slot) {
    const int2 partner_groups = exclusions.groups[slot];
    const int4 other = arrays.slots[slot];
    const uint mask = j_clusters_near(goal.edges, goal.reach, goal.is_small, goal.is_compact, own, apart(goal.edges, other, goal.center));
    const bool is_special = mask != 0 && partner_groups.x <= goal.group && goal.group <= partner_groups.y
                            && exclusion_word(other.w, goal.group, exclusions.starts, exclusions.partners, exclusions.slot_of) != 0;
    return is_special ? mask | 16 : mask;
}
)";

}  // namespace trotter::kernels
