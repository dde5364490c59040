// Particle positions in slots, and bounding boxes of groups.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `pairs`. The extent of a copy, measured in EXTENTS parts: see `frame_for`. In non-periodic systems `gaps`
/// are closed first, as in NearPositions: its first element tells whether there are any, followed for each particle by
/// the subtracted and the added position.
inline constexpr char const* extents = R"(
inline DEVICE coordinate4 near_position(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT gaps, int atom) {
    coordinate4 p = positions[atom];
#ifndef USE_PERIODIC
    if (gaps[0].x != 0) {
        const coordinate4 from = gaps[2*atom + 1], to = gaps[2*atom + 2];
        p.x = p.x - from.x + to.x;
        p.y = p.y - from.y + to.y;
        p.z = p.z - from.z + to.z;
    }
#endif
    return p;
}
// That of the copy whose first particle is `first`.
inline DEVICE Frame near_frame(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT gaps, int first,
                               GLOBAL const coordinate4* RESTRICT box, int extent) {
    Frame f = frame_for(positions, box, extent);
#ifndef USE_PERIODIC
    const coordinate4 origin = near_position(positions, gaps, first);
    f.ox = origin.x;
    f.oy = origin.y;
    f.oz = origin.z;
#endif
    return f;
}
#define EXTENTS 32
inline DEVICE int whole_extent(GLOBAL const int* RESTRICT extents) {
    int extent = 0;
#ifndef USE_PERIODIC
    for (int n = 0; n < EXTENTS; ++n) extent |= extents[n];
#endif
    return extent;
}
)";

/// Requires `pairs` and `extents`. With a cutoff, `fill_slots` requests new lists in mark 0 if a particle has moved by
/// HALF_SKIN since they were built, or the box has changed. No clearing is needed before it: each mark is written by
/// only one kernel.
inline constexpr char const* places = R"(
// A work-group of 256 for each of the extents of each copy.
KERNEL void measure_extent(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT gaps, GLOBAL int* RESTRICT extents) {
    LOCAL int own[256];
    const int first = GROUP_ID/EXTENTS*COPY_ATOMS;
    const coordinate4 origin = near_position(positions, gaps, first);
    int extent = 0;
    for (int atom = GROUP_ID % EXTENTS*256 + LOCAL_ID; atom < COPY_ATOMS; atom += EXTENTS*256) {
        const coordinate4 d = near_position(positions, gaps, first + atom) - origin;
        const coordinate reach = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
        int bit = 0;
        for (coordinate edge = 1; reach >= edge && bit < 28; edge *= 2) ++bit;
        extent |= 1 << bit;
    }
    own[LOCAL_ID] = extent;
    for (int width = 128; width > 0; width /= 2) {
        SYNC_THREADS
        if (LOCAL_ID < width) own[LOCAL_ID] |= own[LOCAL_ID + width];
    }
    if (LOCAL_ID == 0) extents[GROUP_ID] = own[0];
}
#ifdef USE_CUTOFF
// Whether all particles of a group and those in range are nearest to each other in the images nearest to the group's centre, until
// the lists are built anew: what is in range is then less than LIST_RANGE - skin away, and the group's own have gone half of the skin.
inline DEVICE bool is_compact(Reach reach, real hx, real hy, real hz) {
    if (reach.is_rectangular)
        return hx*reach.ax + LIST_RANGE < reach.ax/2 && hy*reach.by + LIST_RANGE < reach.by/2 && hz*reach.cz + LIST_RANGE < reach.cz/2;
    return hx*reach.a + hy*reach.b + hz*reach.c + LIST_RANGE < reach.half_width;
}

// The box around the group whose 32 slots are `own`: its centre and its half edges in fractions. A centre has 1 behind it where the group
// `is_compact`. All 32 work-items must call it.
inline DEVICE void bound_group(Reach reach, int group, LOCAL_ARG const int4* own, LOCAL_ARG int4* low, LOCAL_ARG int4* high,
                               GLOBAL int4* RESTRICT centers, GLOBAL float4* RESTRICT halves) {
    const int4 mine = own[LANE], base = own[0];
    int4 edge = make_int4(0, 0, 0, 0);
    if (mine.w < NUM_ATOMS)
        edge = make_int4((int) ((uint) mine.x - (uint) base.x), (int) ((uint) mine.y - (uint) base.y), (int) ((uint) mine.z - (uint) base.z), 0);
    low[LANE] = edge;
    high[LANE] = edge;
    SYNC_WARPS
    for (int width = 16; width > 0; width /= 2) {
        if (LANE < width) {
            const int4 p = low[LANE], q = low[LANE + width], r = high[LANE], s = high[LANE + width];
            low[LANE] = make_int4(min(p.x, q.x), min(p.y, q.y), min(p.z, q.z), 0);
            high[LANE] = make_int4(max(r.x, s.x), max(r.y, s.y), max(r.z, s.z), 0);
        }
        SYNC_WARPS
    }
    if (LANE == 0) {
        const int4 p = low[0], q = high[0];
        const float unit = 2.3283064e-10f, margin = 4e-7f, empty = base.w < NUM_ATOMS ? 0 : -4;
        const float x = (float) (q.x/2 - p.x/2)*unit + margin, y = (float) (q.y/2 - p.y/2)*unit + margin, z = (float) (q.z/2 - p.z/2)*unit + margin;
        centers[group] = make_int4((int) ((uint) base.x + (uint) (p.x/2 + q.x/2)), (int) ((uint) base.y + (uint) (p.y/2 + q.y/2)),
                                   (int) ((uint) base.z + (uint) (p.z/2 + q.z/2)), is_compact(reach, x, y, z) ? 1 : 0);
        halves[group] = make_float4(x + empty, y + empty, z + empty, 0);
    }
}
#endif

// A place for each particle in its slot; with a cutoff also whether lists are wanted.
KERNEL void fill_slots(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT gaps,
                        GLOBAL const coordinate4* RESTRICT box, GLOBAL int* RESTRICT marks, GLOBAL const int* RESTRICT extents,
                        GLOBAL const int* RESTRICT atoms, GLOBAL int4* RESTRICT slots, GLOBAL const coordinate4* RESTRICT built,
                        GLOBAL const coordinate4* RESTRICT built_box) {
#ifndef COPY_FRAMES
    const Frame frame = near_frame(positions, gaps, 0, box, whole_extent(extents));
#endif
    for (int slot = GLOBAL_ID; slot < PADDED_NUM_ATOMS; slot += GLOBAL_SIZE) {
        const int copy = COPY_OF(slot/32), atom = atoms[slot];
#ifdef COPY_FRAMES
        const Frame frame = near_frame(positions, gaps, COPY_ATOMS*copy, box, whole_extent(extents + EXTENTS*copy));
#endif
        if (atom >= NUM_ATOMS) {
            slots[slot] = make_int4(0, 0, 0, atom);
            continue;
        }
        slots[slot] = fractions_of(frame, near_position(positions, gaps, atom), atom);
#ifdef USE_CUTOFF
        want_lists(box, HALF_SKIN, positions[atom], built[slot], marks + 4*copy);
#endif
    }
    FOR_COPIES(copy) {
#ifdef USE_CUTOFF
        bool is_due = false;
        for (int n = 0; n < 3; ++n) {
            const coordinate4 now = box[n], before = built_box[3*copy + n];
            is_due = is_due || now.x != before.x || now.y != before.y || now.z != before.z;
        }
        if (is_due) marks[4*copy] = marks[4*copy + 2] + 1;
        marks[4*copy + 1] = marks[4*copy + 2];
#endif
        marks[4*copy + 3] = whole_extent(extents + EXTENTS*copy);
    }
}
)";

/// Requires `places` and a cutoff: the boxes of groups, which are those of the lists in a periodic box, where the frame
/// stays.
inline constexpr char const* group_bounds = R"(
KERNEL void bound_groups(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT marks,
                         GLOBAL const int4* RESTRICT slots, GLOBAL int4* RESTRICT centers, GLOBAL float4* RESTRICT halves) {
    LOCAL int4 own[32*PAIR_WARPS];
    LOCAL int4 low[32*PAIR_WARPS];
    LOCAL int4 high[32*PAIR_WARPS];
    for (int group = GROUP_ID*PAIR_WARPS + WARP; group < GROUPS; group += NUM_GROUPS*PAIR_WARPS) {
        const int copy = COPY_OF(group);
#ifdef USE_PERIODIC
        if (marks[4*copy] == marks[4*copy + 1]) continue;
#endif
        SYNC_WARPS
        own[LOCAL_ID] = slots[32*group + LANE];
        SYNC_WARPS
        const Frame frame = frame_of(positions + COPY_ATOMS*copy, box, marks + 4*copy);
        bound_group(reach_of(edges_of(frame)), group, own + 32*WARP, low + 32*WARP, high + 32*WARP, centers, halves);
    }
}
)";

}  // namespace trotter::kernels
