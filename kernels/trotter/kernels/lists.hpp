// Builds the pair lists.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `list_entries`. Nothing is done for copies that need no new lists.
///
/// A work-group builds a list: LIST_WARPS times 32 work-items, or one work-item without lockstep. Each warp keeps
/// LIST_ROOM entries in local memory. All lists share a pool: spans[group] has the begin of special entries, their
/// masks and the others in it, and the numbers of special and other entries.
///
/// If the pool is too small for all, no list may be used, since which ones had room depends on timing: used[mark 2 & 1]
/// is the size needed. Each copy has an equal part of the pool.
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

// What is known of a list while it is made: how many candidates wait, and how many special and other entries were found.
typedef struct { int candidates, special, others; } Search;

// The first candidates, one for each lane while there are any: those in range are counted and kept while there is room, or written.
inline DEVICE Search test_candidates(Goal goal, SlotArrays arrays, Exclusions exclusions, Shared shared, Target target, Search search) {
    const bool is_candidate = LANE < search.candidates;
    const int slot = is_candidate ? shared.candidates[LANE] : 0, next = LANE + LANES < search.candidates ? shared.candidates[LANE + LANES] : 0;
    const uint mask = is_candidate ? mask_of(goal, arrays, exclusions, shared.own, slot) : 0, entry = (uint) slot | mask << 28;
    const bool is_special = mask >= 16, is_other = mask != 0 && !is_special;
    const int number = number_in_bin(shared, mask != 0, bin_of(mask));
    const uint special = lanes_where(is_special), others = lanes_where(is_other);
    if (!target.is_open) {
        if (mask != 0) write_entry(goal, arrays, exclusions, target, entry, is_special, number);
    } else if (search.special + search.others + popcount(special | others) <= LIST_ROOM) {
        if (is_special) shared.entries[search.special + count_before(LANE, special)] = entry;
        if (is_other) shared.entries[LIST_ROOM - 1 - search.others - count_before(LANE, others)] = entry;
    }
    if (LANE + LANES < search.candidates) shared.candidates[LANE] = next;
    SYNC_LANES
    search.candidates = max(search.candidates - LANES, 0);
    search.special += popcount(special);
    search.others += popcount(others);
    return search;
}
// Most particles of a near group are out of range of the whole box: the others are gathered, so that all lanes have one to test. At the
// end, those that still wait are tested.
inline DEVICE Search look_at_group(Goal goal, SlotArrays arrays, Exclusions exclusions, Shared shared, Target target, int group, bool is_end, Search search) {
    for (int first = 0; first < 32; first += LANES) {
        const int slot = 32*group + first + LANE;
        const int4 other = arrays.slots[slot];
        const bool is_candidate = !is_end && other.w < NUM_ATOMS
                                  && is_near_box(goal.reach, goal.is_compact, goal.half_edge, apart(goal.edges, other, goal.center));
        const uint lanes = lanes_where(is_candidate);
        if (is_candidate) shared.candidates[search.candidates + count_before(LANE, lanes)] = slot;
        SYNC_LANES
        search.candidates += popcount(lanes);
        if (is_end || search.candidates >= LANES) search = test_candidates(goal, arrays, exclusions, shared, target, search);
    }
    return search;
}

// The child n of a node, and its box: that of a group where the node is of level 0.
inline DEVICE int child_of(int node, int n) { return 32*(node & 0xffffff) + n; }
inline DEVICE int box_of_child(int group, int level, int child) {
    const int first = first_of_copy(group);
    return level == 0 ? first + owned_of_two(group - first, child) : first_node(level - 1) + child;
}
// Bit n: the child n of a node is near the group. The group itself is left out.
inline DEVICE uint near_children(Goal goal, SlotArrays arrays, int node) {
    uint result = 0;
    for (int first = 0; first < 32; first += LANES) {
        const int level = node >> 24, child = child_of(node, first + LANE), box = box_of_child(goal.group, level, child);
        const bool is_there = level == 0 ? box < first_of_copy(goal.group) + COPY_GROUPS && box != goal.group : child < node_count(level - 1);
        const int known = is_there ? box : goal.group;
        result |= lanes_where(is_there && is_near(goal.edges, goal.reach, goal.center, goal.half_edge, arrays.centers[known], arrays.halves[known])) << first;
    }
    return result;
}

// All of a list look into several nodes at once, and then take turns with the groups that are near. It begins as if a node had the group
// itself, and ends as if all had one more group.
#define OWN_GROUP (-1)
#define END_OF_GROUPS (-2)
inline DEVICE Search find_entries(Goal goal, SlotArrays arrays, Exclusions exclusions, Shared shared, Target target) {
    Search search;
    search.candidates = search.special = search.others = 0;
    int nodes = 1, depth = node_count(NODE_LEVELS - 1), turn = 0;
    for (int n = LOCAL_ID; n < depth; n += LANES*LIST_WARPS) shared.stack[n] = (NODE_LEVELS - 1) << 24 | n;
    if (LOCAL_ID == 0) shared.near[0] = make_int2(OWN_GROUP, 1);
    for (bool is_end = false; nodes > 0;) {
        SYNC_LIST
        for (int n = 0; n < nodes; ++n) {
            const int node = is_end ? END_OF_GROUPS : shared.near[n].x, level = node >> 24;
            uint near = is_end ? 1 : (uint) shared.near[n].y;
            if (level > 0) {
                for (int child = LANE; n == WARP && child < 32; child += LANES)
                    if ((near >> child & 1) != 0) shared.stack[depth + count_before(child, near)] = (level - 1) << 24 | child_of(node, child);
                depth += popcount(near);
            } else
                for (; near != 0; near &= near - 1)
                    if (is_end || turn++ % LIST_WARPS == WARP) {
                        const int group = node < 0 ? goal.group : box_of_child(goal.group, 0, child_of(node, lowest_bit(near)));
                        search = look_at_group(goal, arrays, exclusions, shared, target, group, is_end, search);
                    }
        }
        SYNC_LIST
        nodes = is_end ? 0 : depth == 0 ? 1 : min(depth, LIST_WARPS);
        is_end = depth == 0;
        depth = max(depth - nodes, 0);
        if (!is_end && WARP < nodes) {
            const int node = shared.stack[depth + WARP];
            const uint near = near_children(goal, arrays, node);
            if (LANE == 0) shared.near[WARP] = make_int2(node, (int) near);
        }
    }
    return search;
}

// From the entries in all bins of a list, those of some lanes behind those of others, the number of the first for these lanes. Returns how
// many special and other ones there are.
inline DEVICE int2 start_bins(LOCAL_ARG const int* entries, LOCAL_ARG int* sums, LOCAL_ARG int* starts) {
    SYNC_LIST
    for (int bin = LOCAL_ID; bin < BINS; bin += LANES*LIST_WARPS) {
        sums[bin] = 0;
        for (int warp = 0; warp < LIST_WARPS; ++warp) sums[bin] += entries[BINS*warp + bin];
    }
    SYNC_LIST
    int all = 0;
    for (int bin = 0; bin < BINS; ++bin) {
        if (bin % LANES == LANE) {
            starts[bin] = all;
            for (int warp = 0; warp < WARP; ++warp) starts[bin] += entries[BINS*warp + bin];
        }
        all += sums[bin];
    }
    SYNC_LANES
    return make_int2(sums[0], all - sums[0]);
}

// Where so many special and other entries start in the pool, or -1 where it has no room for them. A copy's part of it begins at `first`.
inline DEVICE int start_of(int2 entries, GLOBAL mm_ulong* used, int first, int capacity) {
    const mm_ulong size = (mm_ulong) (2*entries.x + entries.y), start = ATOMIC_ADD(used, size);
    return start + size <= (mm_ulong) capacity ? first + (int) start : -1;
}

#if LANES > 1 && !defined(REAL_IS_DOUBLE)
#define LIST_BOUNDS GROUP_BOUNDS(32*LIST_WARPS, 32/LIST_WARPS)
#else
#define LIST_BOUNDS
#endif

// A work-group for each list. Where some lanes found more entries than they have room for, all find them once more.
KERNEL void LIST_BOUNDS build_lists(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL int* RESTRICT marks,
                        GLOBAL const int4* RESTRICT slots, GLOBAL const int4* RESTRICT centers, GLOBAL const float4* RESTRICT halves,
                        GLOBAL const int* RESTRICT starts, GLOBAL const int* RESTRICT partners, GLOBAL const int* RESTRICT slot_of,
                        GLOBAL const int2* RESTRICT partner_groups, GLOBAL coordinate4* RESTRICT built, GLOBAL coordinate4* RESTRICT built_box,
                        GLOBAL int4* RESTRICT spans, GLOBAL mm_ulong* RESTRICT used, GLOBAL uint* RESTRICT pool, int capacity) {
    LOCAL real4 own[32];
    LOCAL int stack[32 + 32*LIST_WARPS*(NODE_LEVELS - 1)];
    LOCAL int2 near[LIST_WARPS];
    LOCAL int candidates[2*LANES*LIST_WARPS];
    LOCAL uint entries[LIST_ROOM*LIST_WARPS];
    LOCAL int bins[BINS*LIST_WARPS];
    LOCAL int starts_of_bins[BINS*LIST_WARPS];
    LOCAL int sums_of_bins[BINS];
    LOCAL int start;
    LOCAL int lacks_room;
#if COPIES == 1
    const int copy = 0, number = marks[0];
    if (number == marks[1]) return;
#endif
    Goal goal;
#ifndef COPY_FRAMES
    goal.edges = edges_of(frame_of(positions, box, marks));
    goal.reach = reach_of(goal.edges);
#endif
    SlotArrays arrays;
    arrays.slots = slots; arrays.centers = centers; arrays.halves = halves;
    Exclusions exclusions;
    exclusions.starts = starts; exclusions.partners = partners; exclusions.slot_of = slot_of; exclusions.groups = partner_groups;
    Shared shared;
    shared.own = own; shared.stack = stack; shared.near = near; shared.candidates = candidates + 2*LANES*WARP;
    shared.entries = entries + LIST_ROOM*WARP;
    for (int group = GROUP_ID; group < GROUPS; group += NUM_GROUPS) {
#if COPIES > 1
        const int copy = COPY_OF(group), number = marks[4*copy];
        if (number == marks[4*copy + 1]) continue;
#endif
#ifdef COPY_FRAMES
        goal.edges = edges_of(frame_of(positions + COPY_ATOMS*copy, box, marks + 4*copy));
        goal.reach = reach_of(goal.edges);
#endif
        const int4 center = centers[group];
        const float4 half_edge = halves[group];
        goal.group = group; goal.center = center; goal.half_edge = half_edge;
        goal.is_compact = center.w != 0;
        goal.is_small = goal.is_compact
                        && half_edge.x*goal.reach.a + half_edge.y*goal.reach.b + half_edge.z*goal.reach.c < 4*LIST_RANGE;
        SYNC_LIST
        for (int n = LOCAL_ID; n < 32; n += LANES*LIST_WARPS) {
            const int4 mine = slots[32*group + n];
            own[n] = own_position(goal.edges, goal.is_small, mine, center);
            if (mine.w < NUM_ATOMS) built[32*group + n] = positions[mine.w];
        }
        for (int n = LOCAL_ID; n < BINS*LIST_WARPS; n += LANES*LIST_WARPS) bins[n] = 0;
        if (LOCAL_ID == 0) lacks_room = 0;
        SYNC_LIST
        shared.bins = bins + BINS*WARP;
        Target target;
        target.is_open = true;
        target.first = pool;
        target.special = 0;
        for (bool is_done = false; !is_done;) {
            const Search found = find_entries(goal, arrays, exclusions, shared, target);
            is_done = !target.is_open;
            if (is_done) continue;
            if (LANE == 0 && found.special + found.others > LIST_ROOM) ATOMIC_OR(&lacks_room, 1);
            shared.bins = starts_of_bins + BINS*WARP;
            const int2 all = start_bins(bins, sums_of_bins, shared.bins);
            if (LOCAL_ID == 0) {
                start = start_of(all, used + 2*copy + (number & 1), copy*capacity, capacity);
                spans[group] = make_int4(start, all.x, all.y, 0);
            }
            SYNC_LIST
            target.is_open = false;
            target.first = pool + start;
            target.special = all.x;
            is_done = start < 0 || lacks_room == 0;
            if (is_done && start >= 0) write_kept(goal, arrays, exclusions, shared, target, found.special, found.others);
        }
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
)";

}  // namespace trotter::kernels
