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
// Whether all particles of a group and those in range are nearest to each other in the images nearest to the group's centre, until
// the lists are built anew: what is in range is then less than LIST_RANGE - skin away, and the group's own have gone half of the skin.
inline DEVICE bool is_compact(Reach reach, real hx, real hy, real hz) {
    if (reach.is_rectangular)
        return hx*reach.ax + LIST_RANGE < reach.ax/2 && hy*reach.by + LIST_RANGE < reach.by/2 && hz*reach.cz + LIST_RANGE < reach.cz/2;
    return hx*reach.a + hy*reach.b + hz*reach.c + LIST_RANGE < reach.half_width;
}

// A box around each group: its centre and its half edges in fractions. A centre has 1 behind it where the group `is_compact`.
KERNEL void bound_groups(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT marks,
                         GLOBAL const int4* RESTRICT slots, GLOBAL int4* RESTRICT centers, GLOBAL float4* RESTRICT halves,
                         GLOBAL coordinate4* RESTRICT built, GLOBAL coordinate4* RESTRICT built_box) {
    LOCAL float4 low[32];
    LOCAL float4 high[32];
    if (marks[0] == 0) return;
    const Reach reach = reach_of(edges_of(frame_of(positions, box, marks)));
    for (int group = GROUP_ID; group < GROUPS; group += NUM_GROUPS) {
        const int4 mine = slots[32*group + LOCAL_ID], base = slots[32*group];
        if (mine.w < NUM_ATOMS) built[32*group + LOCAL_ID] = positions[mine.w];
        float4 edge = make_float4(0, 0, 0, 0);
        if (mine.w < NUM_ATOMS) edge = make_float4(fraction_apart(mine.x, base.x), fraction_apart(mine.y, base.y), fraction_apart(mine.z, base.z), 0);
        low[LOCAL_ID] = edge;
        high[LOCAL_ID] = edge;
        SYNC_THREADS
        for (int width = 16; width > 0; width /= 2) {
            if (LOCAL_ID < width) {
                const float4 p = low[LOCAL_ID], q = low[LOCAL_ID + width], r = high[LOCAL_ID], s = high[LOCAL_ID + width];
                low[LOCAL_ID] = make_float4(fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z), 0);
                high[LOCAL_ID] = make_float4(fmax(r.x, s.x), fmax(r.y, s.y), fmax(r.z, s.z), 0);
            }
            SYNC_THREADS
        }
        if (LOCAL_ID == 0) {
            const float4 middle = (low[0] + high[0])*0.5f, half_edge = (high[0] - low[0])*0.5f;
            const float margin = base.w < NUM_ATOMS ? 4e-7f : -4;
            centers[group] = make_int4((int) ((uint) base.x + (uint) (mm_long) (middle.x*4294967296.0f)),
                                       (int) ((uint) base.y + (uint) (mm_long) (middle.y*4294967296.0f)),
                                       (int) ((uint) base.z + (uint) (mm_long) (middle.z*4294967296.0f)),
                                       is_compact(reach, half_edge.x + 4e-7f, half_edge.y + 4e-7f, half_edge.z + 4e-7f) ? 1 : 0);
            halves[group] = make_float4(half_edge.x + margin, half_edge.y + margin, half_edge.z + margin, 0);
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
// Bit n: some particle of octet n is in range of one at `place`. Padding has a large fourth number.
inline DEVICE uint octets_near(Edges e, Reach reach, bool is_compact, LOCAL_ARG const real4* own, real3 place) {
    if (reach.sees_all) return 15;
    uint mask = 0;
    for (int octet = 0; octet < 4; ++octet) {
        real nearest = 2*LIST_RANGE*LIST_RANGE;
        UNROLL
        for (int n = 0; n < 8; ++n) {
            const real4 mine = own[8*octet + n];
            real3 d = make_real3(mine.x - place.x, mine.y - place.y, mine.z - place.z);
            if (!is_compact) d = wrapped(e, d);
            nearest = fmin(nearest, d.x*d.x + d.y*d.y + d.z*d.z + mine.w);
        }
        if (nearest < LIST_RANGE*LIST_RANGE) mask |= 1u << octet;
    }
    return mask;
}
// Masks whose neighbours in this order differ in one octet: lanes of a chunk then need the same octets.
inline DEVICE int gray_rank(uint mask) { return (int) (mask ^ mask >> 1 ^ mask >> 2 ^ mask >> 3); }

// The sum of the numbers of all work-items before this one, and that of all. Every work-item of the group must call it.
#ifdef SHUFFLE_UP
inline DEVICE int2 sum_before(int mine, LOCAL_ARG int* scratch) {
    int before = mine, all = 0;
    for (int step = 1; step < 32; step *= 2) {
        const int other = SHUFFLE_UP(before, step);
        if ((LOCAL_ID & 31) >= step) before += other;
    }
    SYNC_THREADS
    if ((LOCAL_ID & 31) == 31) scratch[LOCAL_ID/32] = before;
    SYNC_THREADS
    before -= mine;
    for (int warp = 0; warp < LIST_WIDTH/32; ++warp) {
        if (warp == LOCAL_ID/32) before += all;
        all += scratch[warp];
    }
    return make_int2(before, all);
}
#else
inline DEVICE int2 sum_before(int mine, LOCAL_ARG int* scratch) {
    SYNC_THREADS
    scratch[LOCAL_ID] = mine;
    for (int step = 1; step < LIST_WIDTH; step *= 2) {
        SYNC_THREADS
        const int other = LOCAL_ID >= step ? scratch[LOCAL_ID - step] : 0;
        SYNC_THREADS
        scratch[LOCAL_ID] += other;
    }
    SYNC_THREADS
    return make_int2(scratch[LOCAL_ID] - mine, scratch[LIST_WIDTH - 1]);
}
#endif

// Each with its octets next to those of the same octets; what stands where does not depend on timing.
inline DEVICE void sort_entries(GLOBAL const uint* RESTRICT raw, GLOBAL uint* RESTRICT plain, int count, LOCAL_ARG int* bins, LOCAL_ARG int* scratch) {
    const int share = (count + LIST_WIDTH - 1)/LIST_WIDTH, first = LOCAL_ID*share, end = first + share < count ? first + share : count;
    for (int rank = 0; rank < 16; ++rank) bins[rank*LIST_WIDTH + LOCAL_ID] = 0;
    for (int n = first; n < end; ++n) ++bins[gray_rank(raw[n] >> 28)*LIST_WIDTH + LOCAL_ID];
    SYNC_THREADS
    int sum = 0;
    for (int n = 0; n < 16; ++n) sum += bins[16*LOCAL_ID + n];
    int place = sum_before(sum, scratch).x;
    for (int n = 0; n < 16; ++n) {
        const int here = bins[16*LOCAL_ID + n];
        bins[16*LOCAL_ID + n] = place;
        place += here;
    }
    SYNC_THREADS
    for (int n = first; n < end; ++n) plain[bins[gray_rank(raw[n] >> 28)*LIST_WIDTH + LOCAL_ID]++] = raw[n];
}

// A work-group for each list: its work-items test boxes of as many groups, then the particles of those that are near.
KERNEL void build_lists(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT marks,
                        GLOBAL const int4* RESTRICT slots, GLOBAL const int4* RESTRICT centers, GLOBAL const float4* RESTRICT halves,
                        GLOBAL const int* RESTRICT starts, GLOBAL const int* RESTRICT partners, GLOBAL const int* RESTRICT slot_of,
                        GLOBAL int2* RESTRICT counts, GLOBAL int* RESTRICT overflow, GLOBAL uint* RESTRICT special, GLOBAL uint* RESTRICT words,
                        GLOBAL uint* RESTRICT plain, GLOBAL uint* raw, int capacity, int special_capacity) {
    LOCAL real4 own[32];
    LOCAL int nears[LIST_WIDTH];
    LOCAL int scratch[LIST_WIDTH];
    LOCAL int bins[16*LIST_WIDTH];
    if (marks[0] == 0) return;
    const Edges e = edges_of(frame_of(positions, box, marks));
    const Reach reach = reach_of(e);
    for (int group = GROUP_ID; group < GROUPS; group += NUM_GROUPS) {
        const int4 center = centers[group];
        const float4 half_edge = halves[group];
        const int candidates = owned_count(group);
        SYNC_THREADS
        if (LOCAL_ID < 32) {
            const int4 mine = slots[32*group + LOCAL_ID];
            const real3 place = apart(e, mine, center);
            own[LOCAL_ID] = mine.w < NUM_ATOMS ? make_real4(place.x, place.y, place.z, 0) : make_real4(0, 0, 0, 1e9f);
        }
        int plain_count = 0, special_count = 0;
        for (int first = 0; first < candidates; first += LIST_WIDTH) {
            const int candidate = first + LOCAL_ID < candidates ? owned(group, first + LOCAL_ID) : -1;
            const bool near = candidate >= 0 && is_near(e, reach, center, half_edge, centers[candidate], halves[candidate]);
            const int2 near_place = sum_before(near ? 1 : 0, scratch);
            if (near) nears[near_place.x] = candidate;
            SYNC_THREADS
            for (int base = 0; base < 32*near_place.y; base += LIST_WIDTH) {
                const int item = base + LOCAL_ID;
                const bool is_item = item < 32*near_place.y;
                const int j = is_item ? 32*nears[item/32] + (item & 31) : 0;
                const int4 other = slots[j];
                const uint mask = is_item && other.w < NUM_ATOMS ? octets_near(e, reach, center.w != 0, own, apart(e, other, center)) : 0;
                const uint excluded = mask != 0 ? exclusion_word(other.w, group, starts, partners, slot_of) : 0;
                const bool is_plain = mask != 0 && excluded == 0;
                const int2 places = sum_before(excluded != 0 ? 0x10000 : is_plain ? 1 : 0, scratch);
                const int special_place = special_count + (places.x >> 16), plain_place = plain_count + (places.x & 0xffff);
                if (excluded != 0 && special_place < special_capacity) {
                    special[group*special_capacity + special_place] = (uint) j | mask << 28;
                    words[group*special_capacity + special_place] = excluded;
                }
                if (is_plain && plain_place < capacity) raw[group*capacity + plain_place] = (uint) j | mask << 28;
                special_count += places.y >> 16;
                plain_count += places.y & 0xffff;
            }
        }
        SYNC_THREADS
        if (LOCAL_ID == 0) counts[group] = make_int2(plain_count, special_count);
        const bool has_room = plain_count <= capacity && special_count <= special_capacity;
        if (LOCAL_ID == 0 && !has_room) *overflow = 1;
        sort_entries(raw + group*capacity, plain + group*capacity, has_room ? plain_count : 0, bins, scratch);
    }
}
#endif
)";

}  // namespace trotter::kernels
