// The lists of pairs in range, found by way of a tree of boxes.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Behind `pairs` and `places`. Nothing is done where no new lists are wanted, in all of a copy.
/// A list has an entry for each particle j that has a particle of the group within LIST_RANGE: its slot, and
/// above bit 28 which octets they are of. Entries with exclusions are `special` and have a word of them. All lists share a pool:
/// spans[group] says where special entries, their words and the others start there, and how many special and other ones there are.
/// Where the pool is too small for all, no list may be used, since which ones had room depends on timing: used[mark 2 & 1] is
/// the size needed. Of copies each has an equal part of the pool.
inline constexpr char const* lists = R"(
// The first and the last group with partners of the particle in each slot.
KERNEL void bound_partners(GLOBAL const int* RESTRICT atoms, GLOBAL const int* RESTRICT slot_of, GLOBAL const int* RESTRICT starts,
                           GLOBAL const int* RESTRICT partners, GLOBAL int2* RESTRICT partner_groups) {
    for (int slot = GLOBAL_ID; slot < PADDED_NUM_ATOMS; slot += GLOBAL_SIZE) {
        const int atom = atoms[slot];
        int2 range = make_int2(GROUPS, -1);
        for (int n = starts[atom]; n < starts[atom + 1]; ++n) {
            const int group = slot_of[partners[n]]/32;
            range = make_int2(min(range.x, group), max(range.y, group));
        }
        partner_groups[slot] = range;
    }
}

#ifdef USE_CUTOFF
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

#if NODE_LEVELS > 1
// A work-group of 64 for each node.
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
#endif

// Padding has a large fourth number. Others have half of the square of their distance from the group's centre where the group
// `is_small`: rounding of the product form is then no matter.
inline DEVICE real4 own_place(Edges e, bool is_small, int4 p, int4 center) {
    const real3 place = apart(e, p, center);
    const real half_square = is_small ? (place.x*place.x + place.y*place.y + place.z*place.z)/2 : 0;
    return p.w < NUM_ATOMS ? make_real4(place.x, place.y, place.z, half_square) : make_real4(0, 0, 0, 1e9f);
}
// Bit n: some particle of octet n is in range of one at `place`.
inline DEVICE uint octets_near(Edges e, Reach reach, bool is_small, bool is_compact, LOCAL_ARG const real4* own, real3 place) {
    if (reach.sees_all) return 15;
    uint mask = 0;
    const real half_square = (place.x*place.x + place.y*place.y + place.z*place.z)/2;
    for (int octet = 0; octet < 4; ++octet) {
        real nearest = LIST_RANGE*LIST_RANGE;
        UNROLL
        for (int n = 0; n < 8; ++n) {
            const real4 mine = own[8*octet + n];
            if (is_small)
                nearest = fmin(nearest, mine.w - mine.x*place.x - mine.y*place.y - mine.z*place.z + half_square);
            else {
                real3 d = make_real3(mine.x - place.x, mine.y - place.y, mine.z - place.z);
                if (!is_compact) d = wrapped(e, d);
                nearest = fmin(nearest, (d.x*d.x + d.y*d.y + d.z*d.z)/2 + mine.w);
            }
        }
        if (nearest < LIST_RANGE*LIST_RANGE/2) mask |= 1u << octet;
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
    SYNC_THREADS
    if (LOCAL_ID == 0)
        for (int n = 1; n < LIST_WIDTH; ++n) scratch[n] += scratch[n - 1];
    SYNC_THREADS
    return make_int2(scratch[LOCAL_ID] - mine, scratch[LIST_WIDTH - 1]);
}
#endif


// What the work-items of a list share: nodes still to be looked into, near groups that were found, octets of their particles.
#define NEAR_BATCH 256
#define NEAR_RING 512
typedef struct { LOCAL_ARG int* stack; LOCAL_ARG int* ring; LOCAL_ARG int* scratch; LOCAL_ARG unsigned char* masks; LOCAL_ARG unsigned short* bins; } Shared;
typedef struct { GLOBAL const int4* centers; GLOBAL const float4* halves; } Boxes;
typedef struct { GLOBAL const int* starts; GLOBAL const int* partners; GLOBAL const int* slot_of; GLOBAL const int2* groups; } Exclusions;

// Looks into eight nodes at once. `state` is how many nodes are on the stack, and how many groups have been put into the ring.
inline DEVICE int2 look_into_nodes(Edges e, Reach reach, int group, Boxes boxes, Shared shared, int2 state) {
    const int place = state.x - 1 - LOCAL_ID/32, node = place >= 0 ? shared.stack[place] : 0;
    const int level = node >> 24, child = 32*(node & 0xffffff) + (LOCAL_ID & 31), first = first_of_copy(group);
    int candidate = level == 0 ? first + owned_of_two(group - first, child) : first_node(level - 1) + child;
    if (level == 0 ? candidate >= first + COPY_GROUPS || candidate == group : child >= node_count(level - 1)) candidate = -1;
    const bool near = place >= 0 && candidate >= 0
                      && is_near(e, reach, boxes.centers[group], boxes.halves[group], boxes.centers[candidate], boxes.halves[candidate]);
    const int2 places = sum_before(near ? (level == 0 ? 1 : 0x10000) : 0, shared.scratch);
    const int depth = max(state.x - LIST_WIDTH/32, 0);
    if (near && level == 0) shared.ring[(state.y + (places.x & 0xffff)) & (NEAR_RING - 1)] = candidate;
    if (near && level > 0) shared.stack[depth + (places.x >> 16)] = (level - 1) << 24 | child;
    SYNC_THREADS
    return make_int2(depth + (places.y >> 16), state.y + (places.y & 0xffff));
}

inline DEVICE int slot_at(Shared shared, int head, int item) { return 32*shared.ring[(head + item/32) & (NEAR_RING - 1)] + (item & 31); }

// For each particle of the near groups the octets in range of it, and 16 where it has exclusions.
inline DEVICE void find_octets(Edges e, Reach reach, int group, int4 center, bool is_small, LOCAL_ARG const real4* own, GLOBAL const int4* RESTRICT slots,
                               Exclusions exclusions, Shared shared, int head, int items) {
    for (int item = LOCAL_ID; item < items; item += LIST_WIDTH) {
        const int j = slot_at(shared, head, item);
        const int4 other = slots[j];
        const int2 partner_groups = exclusions.groups[j];
        uint mask = other.w < NUM_ATOMS ? octets_near(e, reach, is_small, center.w != 0, own, apart(e, other, center)) : 0;
        if (mask != 0 && partner_groups.x <= group && group <= partner_groups.y
            && exclusion_word(other.w, group, exclusions.starts, exclusions.partners, exclusions.slot_of) != 0)
            mask |= 16;
        shared.masks[item] = (unsigned char) mask;
    }
    SYNC_THREADS
}

// Special entries come first, others next to those of the same octets. Each work-item has successive entries: what stands where does not
// depend on timing. Returns how many special and other ones there are; `bins` then say where each work-item puts its own.
inline DEVICE int bin_of(int mask) { return mask >= 16 ? 0 : gray_rank((uint) mask); }
inline DEVICE int2 rank_entries(Shared shared, int items) {
    const int share = (items + LIST_WIDTH - 1)/LIST_WIDTH, first = min(LOCAL_ID*share, items), end = min(first + share, items);
    for (int bin = 0; bin < 16; ++bin) shared.bins[bin*LIST_WIDTH + LOCAL_ID] = 0;
    for (int n = first; n < end; ++n)
        if (shared.masks[n] != 0) ++shared.bins[bin_of(shared.masks[n])*LIST_WIDTH + LOCAL_ID];
    SYNC_THREADS
    int sum = 0;
    for (int n = 0; n < 16; ++n) sum += shared.bins[16*LOCAL_ID + n];
    const int2 places = sum_before(sum, shared.scratch);
    int place = places.x;
    for (int n = 0; n < 16; ++n) {
        const int here = shared.bins[16*LOCAL_ID + n];
        shared.bins[16*LOCAL_ID + n] = (unsigned short) place;
        place += here;
    }
    SYNC_THREADS
    const int special = shared.bins[LIST_WIDTH];
    SYNC_THREADS
    return make_int2(special, places.y - special);
}

// `written` special and other entries stand before those of this batch, of which `special` are special.
inline DEVICE void write_entries(int group, GLOBAL const int4* RESTRICT slots, Exclusions exclusions, Shared shared, int head, int items, int special,
                                 int4 span, int2 written, GLOBAL uint* RESTRICT pool) {
    const int share = (items + LIST_WIDTH - 1)/LIST_WIDTH, first = min(LOCAL_ID*share, items), end = min(first + share, items);
    for (int n = first; n < end; ++n) {
        const int mask = shared.masks[n];
        if (mask == 0) continue;
        const int place = shared.bins[bin_of(mask)*LIST_WIDTH + LOCAL_ID]++, j = slot_at(shared, head, n);
        const uint entry = (uint) j | (uint) mask << 28;
        if (mask < 16)
            pool[span.x + 2*span.y + written.y + place - special] = entry;
        else {
            pool[span.x + written.x + place] = entry;
            pool[span.x + span.y + written.x + place] = exclusion_word(slots[j].w, group, exclusions.starts, exclusions.partners, exclusions.slot_of);
        }
    }
}

// Where so many special and other entries start in the pool, or -1 where it has no room for them. A copy's part of it begins at `first`.
inline DEVICE int start_of(int2 entries, GLOBAL mm_ulong* used, int first, int capacity) {
    const mm_ulong size = (mm_ulong) (2*entries.x + entries.y), start = ATOMIC_ADD(used, size);
    return start + size <= (mm_ulong) capacity ? first + (int) start : -1;
}

#if defined(SHUFFLE_UP) && !defined(REAL_IS_DOUBLE)
#define LIST_BOUNDS __launch_bounds__(LIST_WIDTH, 6)
#else
#define LIST_BOUNDS
#endif

// A work-group for each list. Near groups come in batches; all but the longest lists have one, others are counted and then found again.
KERNEL void LIST_BOUNDS build_lists(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL int* RESTRICT marks,
                        GLOBAL const int4* RESTRICT slots, GLOBAL const int4* RESTRICT centers, GLOBAL const float4* RESTRICT halves,
                        GLOBAL const int* RESTRICT starts, GLOBAL const int* RESTRICT partners, GLOBAL const int* RESTRICT slot_of,
                        GLOBAL const int2* RESTRICT partner_groups, GLOBAL coordinate4* RESTRICT built, GLOBAL coordinate4* RESTRICT built_box,
                        GLOBAL int4* RESTRICT spans, GLOBAL mm_ulong* RESTRICT used, GLOBAL uint* RESTRICT pool, int capacity) {
    LOCAL real4 own[32];
    LOCAL int stack[32 + 264*(NODE_LEVELS - 1)];
    LOCAL int ring[NEAR_RING];
    LOCAL int scratch[LIST_WIDTH];
    LOCAL unsigned char masks[32*NEAR_BATCH];
    LOCAL unsigned short bins[16*LIST_WIDTH];
#if COPIES == 1
    const int copy = 0, number = marks[0];
    if (number == marks[1]) return;
#endif
#ifndef COPY_FRAMES
    const Edges e = edges_of(frame_of(positions, box, marks));
    const Reach reach = reach_of(e);
#endif
    Shared shared;
    shared.stack = stack; shared.ring = ring; shared.scratch = scratch; shared.masks = masks; shared.bins = bins;
    Boxes boxes;
    boxes.centers = centers; boxes.halves = halves;
    Exclusions exclusions;
    exclusions.starts = starts; exclusions.partners = partners; exclusions.slot_of = slot_of; exclusions.groups = partner_groups;
    for (int group = GROUP_ID; group < GROUPS; group += NUM_GROUPS) {
#if COPIES > 1
        const int copy = COPY_OF(group), number = marks[4*copy];
        if (number == marks[4*copy + 1]) continue;
#endif
#ifdef COPY_FRAMES
        const Edges e = edges_of(frame_of(positions + COPY_ATOMS*copy, box, marks + 4*copy));
        const Reach reach = reach_of(e);
#endif
        const int4 center = centers[group];
        const float4 half_edge = halves[group];
        const bool is_small = center.w != 0 && half_edge.x*reach.a + half_edge.y*reach.b + half_edge.z*reach.c < 4*LIST_RANGE;
        const int roots = node_count(NODE_LEVELS - 1);
        SYNC_THREADS
        if (LOCAL_ID < 32) {
            const int4 mine = slots[32*group + LOCAL_ID];
            own[LOCAL_ID] = own_place(e, is_small, mine, center);
            if (mine.w < NUM_ATOMS) built[32*group + LOCAL_ID] = positions[mine.w];
        }
        int2 state = make_int2(0, 0), written = make_int2(0, 0);
        int4 span = make_int4(-1, 0, 0, 0);
        int head = 0;
        bool is_begun = false, is_counted = false, is_done = false;
        while (!is_done) {
            if (!is_begun) {
                if (LOCAL_ID < roots) stack[LOCAL_ID] = (NODE_LEVELS - 1) << 24 | LOCAL_ID;
                if (LOCAL_ID == 0) ring[0] = group;
                state = make_int2(roots, 1);
                written = make_int2(0, 0);
                head = 0;
            }
            SYNC_THREADS
            while (state.x > 0 && state.y - head < NEAR_BATCH) state = look_into_nodes(e, reach, group, boxes, shared, state);
            const int items = 32*min(state.y - head, NEAR_BATCH);
            find_octets(e, reach, group, center, is_small, own, slots, exclusions, shared, head, items);
            const int2 found = rank_entries(shared, items);
            const bool is_last = state.x == 0 && head + items/32 == state.y;
            const int2 all = make_int2(written.x + found.x, written.y + found.y);
            if (is_last && !is_counted && LOCAL_ID == 0) scratch[0] = start_of(all, used + 2*copy + (number & 1), copy*capacity, capacity);
            SYNC_THREADS
            if (is_last && !is_counted) span = make_int4(scratch[0], all.x, all.y, 0);
            const bool is_only = is_last && head == 0;
            if ((is_counted || is_only) && span.x >= 0) write_entries(group, slots, exclusions, shared, head, items, found.x, span, written, pool);
            is_done = is_last && (is_only || is_counted || span.x < 0);
            is_begun = !is_last;
            is_counted = is_counted || is_last;
            written = all;
            head += items/32;
            SYNC_THREADS
        }
        if (LOCAL_ID == 0) spans[group] = span;
    }
    FOR_COPIES(built_copy) {
        const int built_number = marks[4*built_copy];
        if (COPIES == 1 || built_number != marks[4*built_copy + 1]) {
            for (int n = 0; n < 3; ++n) built_box[3*built_copy + n] = box[n];
            used[2*built_copy + ((built_number + 1) & 1)] = 0;
            marks[4*built_copy + 2] = built_number;
        }
    }
}
#endif
)";

}  // namespace trotter::kernels
