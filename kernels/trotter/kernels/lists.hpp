// Places in slots, boxes around groups, and the lists of pairs in range.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Behind `pairs` and `sort`. marks[0] is not 0 where the lists have to be built: a particle has gone HALF_SKIN since they were,
/// or the box has changed. A list has an entry for each particle j that has a particle of the group within LIST_RANGE: its slot, and
/// above bit 28 which octets they are of. Entries with exclusions are `special` and have a word of them. A list that does not
/// fit is not written: its group meets all others, and `overflow` says so.
inline constexpr char const* lists = R"(
KERNEL void measure_extent(GLOBAL const coordinate4* RESTRICT positions, GLOBAL int* RESTRICT marks) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const coordinate4 d = positions[atom] - positions[0];
        const coordinate reach = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
        int bit = 0;
        for (coordinate edge = 1; reach >= edge && bit < 28; edge *= 2) ++bit;
        if ((marks[1] & 1 << bit) == 0) ATOMIC_OR(&marks[1], 1 << bit);
    }
}

KERNEL void hilbert_keys(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT marks,
                         GLOBAL uint* RESTRICT keys, GLOBAL int* RESTRICT values) {
    const Frame frame = frame_of(positions, box, marks);
    for (int n = GLOBAL_ID; n < PADDED_NUM_ATOMS; n += GLOBAL_SIZE) {
        values[n] = n;
        keys[n] = 0xffffff;
        if (n < NUM_ATOMS) {
            const int4 p = fractions_of(frame, positions[n], n);
#ifdef USE_PERIODIC
            keys[n] = hilbert_place((uint) p.x >> 24, (uint) p.y >> 24, (uint) p.z >> 24);
#else
            // All stand in the middle half of the frame.
            const uint middle = 1u << 30;
            keys[n] = hilbert_place(((uint) p.x + middle) >> 23 & 255, ((uint) p.y + middle) >> 23 & 255, ((uint) p.z + middle) >> 23 & 255);
#endif
        }
    }
}

KERNEL void take_order(GLOBAL const int* RESTRICT atoms, GLOBAL int* RESTRICT slot_of, GLOBAL coordinate4* RESTRICT built_box) {
    for (int slot = GLOBAL_ID; slot < PADDED_NUM_ATOMS; slot += GLOBAL_SIZE) slot_of[atoms[slot]] = slot;
    if (GLOBAL_ID == 0) built_box[0].x = 0;
}

KERNEL void place_slots(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL int* RESTRICT marks,
                        GLOBAL const int* RESTRICT atoms, GLOBAL int4* RESTRICT slots, GLOBAL const coordinate4* RESTRICT built,
                        GLOBAL const coordinate4* RESTRICT built_box) {
    const Frame frame = frame_of(positions, box, marks);
    bool is_due = false;
    for (int slot = GLOBAL_ID; slot < PADDED_NUM_ATOMS; slot += GLOBAL_SIZE) {
        const int atom = atoms[slot];
        if (atom < NUM_ATOMS) {
            const coordinate4 p = positions[atom];
            slots[slot] = fractions_of(frame, p, atom);
#ifdef USE_CUTOFF
            const coordinate4 before = built[slot];
            coordinate3 d = make_coordinate3(p.x - before.x, p.y - before.y, p.z - before.z);
#ifdef USE_PERIODIC
            d = nearest_image(d, box);
#endif
            is_due = is_due || !(d.x*d.x + d.y*d.y + d.z*d.z <= HALF_SKIN*HALF_SKIN);
#endif
        }
        else slots[slot] = make_int4(0, 0, 0, atom);
    }
#ifdef USE_CUTOFF
    if (GLOBAL_ID == 0)
        for (int n = 0; n < 3; ++n)
            is_due = is_due || box[n].x != built_box[n].x || box[n].y != built_box[n].y || box[n].z != built_box[n].z;
    if (is_due && marks[0] == 0) ATOMIC_OR(&marks[0], 1);
#endif
}

#ifdef USE_CUTOFF
inline DEVICE float fraction_apart(int p, int q) { return (float) (int) ((uint) p - (uint) q)*2.3283064e-10f; }

// In a triclinic box the image found may not be the nearest where it is farther than half of the shortest width.
typedef struct { bool is_rectangular, sees_all; real half_width, ax, by, cz, a, b, c; } Reach;
inline DEVICE Reach reach_of(Edges e) {
    Reach reach;
    reach.is_rectangular = e.bx == 0 && e.cx == 0 && e.cy == 0;
    reach.half_width = fmin(e.ax, fmin(e.by, e.cz))/2;
    reach.sees_all = !reach.is_rectangular && reach.half_width <= LIST_RANGE;
    reach.ax = e.ax; reach.by = e.by; reach.cz = e.cz;
    reach.a = e.ax; reach.b = sqrt(e.bx*e.bx + e.by*e.by); reach.c = sqrt(e.cx*e.cx + e.cy*e.cy + e.cz*e.cz);
    return reach;
}
// Whether all particles of a group and those in range are nearest to each other in the images nearest to one of the group.
inline DEVICE bool is_compact(Reach reach, real hx, real hy, real hz) {
    const real needed = 2*LIST_RANGE - CUTOFF;
    if (reach.is_rectangular)
        return 2*hx*reach.ax + needed < reach.ax/2 && 2*hy*reach.by + needed < reach.by/2 && 2*hz*reach.cz + needed < reach.cz/2;
    return 2*(hx*reach.a + hy*reach.b + hz*reach.c) + needed < reach.half_width;
}

// Boxes are centres and half edges in fractions; lane 0 makes that of the group, lanes 1 to 4 make those of the octets. A group's
// centre has 1 behind it where it `is_compact`.
KERNEL void bound_groups(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT marks,
                         GLOBAL const int4* RESTRICT slots, GLOBAL int4* RESTRICT centers, GLOBAL float4* RESTRICT halves,
                         GLOBAL coordinate4* RESTRICT built, GLOBAL coordinate4* RESTRICT built_box) {
    LOCAL int4 own[32];
    if (marks[0] == 0) return;
    const Reach reach = reach_of(edges_of(frame_of(positions, box, marks)));
    for (int group = GROUP_ID; group < GROUPS; group += NUM_GROUPS) {
        const int4 mine = slots[32*group + LOCAL_ID];
        own[LOCAL_ID] = mine;
        if (mine.w < NUM_ATOMS) built[32*group + LOCAL_ID] = positions[mine.w];
        SYNC_THREADS
        if (LOCAL_ID < 5) {
            const int first = LOCAL_ID == 0 ? 0 : 8*(LOCAL_ID - 1), end = LOCAL_ID == 0 ? 32 : first + 8;
            const int4 base = own[first];
            float4 low = make_float4(0, 0, 0, 0), high = low;
            for (int n = first; n < end; ++n)
                if (own[n].w < NUM_ATOMS) {
                    const float x = fraction_apart(own[n].x, base.x), y = fraction_apart(own[n].y, base.y), z = fraction_apart(own[n].z, base.z);
                    low = make_float4(fmin(low.x, x), fmin(low.y, y), fmin(low.z, z), 0);
                    high = make_float4(fmax(high.x, x), fmax(high.y, y), fmax(high.z, z), 0);
                }
            const float4 middle = (low + high)*0.5f, half_edge = (high - low)*0.5f;
            const float margin = base.w < NUM_ATOMS ? 4e-7f : -4;
            centers[5*group + LOCAL_ID] = make_int4((int) ((uint) base.x + (uint) (mm_long) (middle.x*4294967296.0f)),
                                                    (int) ((uint) base.y + (uint) (mm_long) (middle.y*4294967296.0f)),
                                                    (int) ((uint) base.z + (uint) (mm_long) (middle.z*4294967296.0f)),
                                                    is_compact(reach, half_edge.x, half_edge.y, half_edge.z) ? 1 : 0);
            halves[5*group + LOCAL_ID] = make_float4(half_edge.x + margin, half_edge.y + margin, half_edge.z + margin, 0);
        }
        SYNC_THREADS
    }
    if (GLOBAL_ID == 0)
        for (int n = 0; n < 3; ++n) built_box[n] = box[n];
}

inline DEVICE bool is_near(Edges e, Reach reach, int4 center1, float4 half1, int4 center2, float4 half2) {
    if (half1.x < 0 || half2.x < 0) return false;
    if (reach.sees_all) return true;
    const real hx = half1.x + half2.x, hy = half1.y + half2.y, hz = half1.z + half2.z;
    if (reach.is_rectangular) {
        const real x = fmax(fabs(fraction_apart(center1.x, center2.x)) - hx, (real) 0)*reach.ax;
        const real y = fmax(fabs(fraction_apart(center1.y, center2.y)) - hy, (real) 0)*reach.by;
        const real z = fmax(fabs(fraction_apart(center1.z, center2.z)) - hz, (real) 0)*reach.cz;
        return x*x + y*y + z*z < LIST_RANGE*LIST_RANGE;
    }
    const real3 d = apart(e, center1, center2);
    return fmin(sqrt(d.x*d.x + d.y*d.y + d.z*d.z), reach.half_width) - (hx*reach.a + hy*reach.b + hz*reach.c) < LIST_RANGE;
}
inline DEVICE uint octets_near(Edges e, Reach reach, int group, int4 place, LOCAL_ARG int4* own, GLOBAL const int4* RESTRICT centers,
                               GLOBAL const float4* RESTRICT halves) {
    uint mask = 0;
    if (place.w >= NUM_ATOMS) return mask;
    for (int octet = 0; octet < 4; ++octet) {
        if (!is_near(e, reach, centers[5*group + 1 + octet], halves[5*group + 1 + octet], place, make_float4(0, 0, 0, 0))) continue;
        bool is_in = reach.sees_all;
        for (int n = 8*octet; n < 8*octet + 8 && !is_in; ++n) {
            const real3 d = apart(e, own[n], place);
            is_in = own[n].w < NUM_ATOMS && d.x*d.x + d.y*d.y + d.z*d.z < LIST_RANGE*LIST_RANGE;
        }
        if (is_in) mask |= 1u << octet;
    }
    return mask;
}
// Masks whose neighbours in this order differ in one octet: lanes of a chunk then need the same octets.
inline DEVICE int gray_rank(uint mask) { return (int) (mask ^ mask >> 1 ^ mask >> 2 ^ mask >> 3); }

// Each with its octets next to those of the same octets; what stands where does not depend on timing.
inline DEVICE void sort_entries(GLOBAL const uint* RESTRICT raw, GLOBAL uint* RESTRICT plain, int count, LOCAL_ARG int* ranks, LOCAL_ARG int* bins) {
    if (LOCAL_ID < 16) bins[LOCAL_ID] = 0;
    for (int turn = 0; turn < 2; ++turn) {
        for (int first = 0; first < count; first += 32) {
            const int n = first + LOCAL_ID;
            const uint entry = n < count ? raw[n] : 0;
            const int rank = n < count ? gray_rank(entry >> 28) : 16;
            ranks[LOCAL_ID] = rank;
            SYNC_THREADS
            if (turn == 1 && n < count) {
                int place = bins[rank];
                for (int m = 0; m < LOCAL_ID; ++m) place += ranks[m] == rank ? 1 : 0;
                plain[place] = entry;
            }
            SYNC_THREADS
            if (LOCAL_ID < 16)
                for (int m = 0; m < 32; ++m) bins[LOCAL_ID] += ranks[m] == LOCAL_ID ? 1 : 0;
            SYNC_THREADS
        }
        if (turn == 0) {
            int place = 0;
            for (int m = 0; m < LOCAL_ID && m < 16; ++m) place += bins[m];
            SYNC_THREADS
            if (LOCAL_ID < 16) bins[LOCAL_ID] = place;
            SYNC_THREADS
        }
    }
}

KERNEL void build_lists(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT marks,
                        GLOBAL const int4* RESTRICT slots, GLOBAL const int4* RESTRICT centers, GLOBAL const float4* RESTRICT halves,
                        GLOBAL const int* RESTRICT starts, GLOBAL const int* RESTRICT partners, GLOBAL const int* RESTRICT slot_of,
                        GLOBAL int2* RESTRICT counts, GLOBAL int* RESTRICT overflow, GLOBAL uint* RESTRICT special, GLOBAL uint* RESTRICT words,
                        GLOBAL uint* RESTRICT plain, GLOBAL uint* RESTRICT raw, int capacity, int special_capacity) {
    LOCAL int4 own[32];
    LOCAL int ranks[32];
    LOCAL int bins[16];
    LOCAL uint word;
    if (marks[0] == 0) return;
    const Edges e = edges_of(frame_of(positions, box, marks));
    const Reach reach = reach_of(e);
    const uint lower = (1u << LOCAL_ID) - 1;
    for (int group = GROUP_ID; group < GROUPS; group += NUM_GROUPS) {
        SYNC_THREADS
        own[LOCAL_ID] = slots[32*group + LOCAL_ID];
        SYNC_THREADS
        int plain_count = 0, special_count = 0;
        for (int first = 0; first < GROUPS; first += 32) {
            const int candidate = first + LOCAL_ID;
            const bool near = candidate < GROUPS && owns(group, candidate)
                              && is_near(e, reach, centers[5*group], halves[5*group], centers[5*candidate], halves[5*candidate]);
            for (uint nears = ballot(near, &word); nears != 0; nears &= nears - 1) {
                const int j = 32*(first + bits_in((nears & (0u - nears)) - 1)) + LOCAL_ID;
                const int4 place = slots[j];
                const uint mask = octets_near(e, reach, group, place, own, centers, halves);
                const uint excluded = mask != 0 ? exclusion_word(place.w, group, starts, partners, slot_of) : 0;
                const uint specials = ballot(excluded != 0, &word);
                const int special_place = special_count + bits_in(specials & lower);
                if (excluded != 0 && special_place < special_capacity) {
                    special[group*special_capacity + special_place] = (uint) j | mask << 28;
                    words[group*special_capacity + special_place] = excluded;
                }
                special_count += bits_in(specials);
                const bool is_plain = mask != 0 && excluded == 0;
                const uint plains = ballot(is_plain, &word);
                const int plain_place = plain_count + bits_in(plains & lower);
                if (is_plain && plain_place < capacity) raw[group*capacity + plain_place] = (uint) j | mask << 28;
                plain_count += bits_in(plains);
            }
        }
        if (LOCAL_ID == 0) counts[group] = make_int2(plain_count, special_count);
        SYNC_THREADS
        if (plain_count <= capacity && special_count <= special_capacity)
            sort_entries(raw + group*capacity, plain + group*capacity, plain_count, ranks, bins);
        else if (LOCAL_ID == 0) *overflow = 1;
    }
}
#endif
)";

}  // namespace trotter::kernels
