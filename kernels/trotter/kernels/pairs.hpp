// Functions shared by list building and pair loops: positions as fractions of a frame, groups, votes, exclusions.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Positions as fractions of a frame, which is the box or, in non-periodic systems, a cube around all particles. Each
/// of COPIES non-interacting copies of a System has COPY_ATOMS particles.
///
/// Of the marks of a copy, 0 counts the list builds requested so far, 1 those done before this evaluation, 2 those done
/// by now, and 3 is the extent of all particles.
inline constexpr char const* frames = R"(
#define COPY_ATOMS (NUM_ATOMS/COPIES)
typedef struct { coordinate ax, bx, by, cx, cy, cz, ox, oy, oz; } Frame;

// The extent has bit k set where some particle is less than 2^k nm away from particle 0 along each axis.
inline DEVICE Frame frame_for(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, int extent) {
    Frame f;
#ifdef USE_PERIODIC
    f.ax = box[0].x; f.bx = box[1].x; f.by = box[1].y; f.cx = box[2].x; f.cy = box[2].y; f.cz = box[2].z;
    f.ox = f.oy = f.oz = 0;
#else
    coordinate edge = 4;
    for (int bits = extent; bits > 1; bits >>= 1) edge *= 2;
    f.ax = f.by = f.cz = edge;
    f.bx = f.cx = f.cy = 0;
    f.ox = positions[0].x; f.oy = positions[0].y; f.oz = positions[0].z;
#endif
    return f;
}
inline DEVICE Frame frame_of(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                             GLOBAL const int* RESTRICT marks) {
    return frame_for(positions, box, marks[3]);
}

inline DEVICE int as_fraction(coordinate x) {
#ifdef USE_PERIODIC
    x -= floor(x);
#endif
    return (int) (uint) (mm_long) (x*(coordinate) 4294967296.0);
}
// Multiplications and additions are fused as it is written here, so that kernels agree in every bit.
inline DEVICE int4 fractions_of(Frame f, coordinate4 p, int atom) {
    const coordinate z = (p.z - f.oz)/f.cz, y = fma(-z, f.cy, p.y - f.oy)/f.by, x = fma(-z, f.cx, fma(-y, f.bx, p.x - f.ox))/f.ax;
    return make_int4(as_fraction(x), as_fraction(y), as_fraction(z), atom);
}

#ifdef USE_CUTOFF
// Wants new lists where a particle has gone `reach` since they were built. Of `marks`, those of its copy.
inline DEVICE void want_lists(GLOBAL const coordinate4* RESTRICT box, coordinate reach, coordinate4 p, coordinate4 before, GLOBAL int* RESTRICT marks) {
    coordinate3 d = make_coordinate3(p.x - before.x, p.y - before.y, p.z - before.z);
#ifdef USE_PERIODIC
    d = nearest_image(d, box);
#endif
    if (!(d.x*d.x + d.y*d.y + d.z*d.z <= reach*reach)) marks[0] = marks[2] + 1;
}
// The same as it is put into its slot.
inline DEVICE void fill_slot(Frame frame, GLOBAL const coordinate4* RESTRICT box, coordinate reach, int slot, int atom, coordinate4 p,
                                  GLOBAL int4* RESTRICT slots, GLOBAL const coordinate4* RESTRICT built, GLOBAL int* RESTRICT marks) {
    slots[slot] = fractions_of(frame, p, atom);
    want_lists(box, reach, p, built[slot], marks);
}
#endif
)";

/// Requires `frames`. Particles are in slots; 32 slots are a group of four j clusters. A position in a slot is three
/// 32-bit fractions of the frame; differences of fractions wrap. Pairs of two groups are in the list of the group that
/// `owned` assigns them to. Needs PAIR_WARPS, the work-group size divided by 32, and LIST_RANGE if there is a cutoff.
/// Each copy has its own groups, marks and lists, stored consecutively.
inline constexpr char const* pairs = R"(
#define GROUPS (PADDED_NUM_ATOMS/32)
#define COPY_GROUPS (GROUPS/COPIES)
#if COPIES > 1
#define COPY_OF(group) ((group)/COPY_GROUPS)
#define FOR_COPIES(copy) for (int copy = GLOBAL_ID; copy < COPIES; copy += GLOBAL_SIZE)
#ifndef USE_PERIODIC
#define COPY_FRAMES
#endif
#else
#define COPY_OF(group) 0
#define FOR_COPIES(copy) const int copy = 0; if (GLOBAL_ID == 0)
#endif
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define SHUFFLE_FROM(value, lane) __shfl_sync(0xffffffffu, value, lane)
#define ANY_LANE(condition) __any_sync(0xffffffffu, condition)
#define BALLOT(condition) __ballot_sync(0xffffffffu, condition)
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#else
#ifndef ANY_LANE
#define ANY_LANE(condition) true
#endif
#if WARP_SIZE >= 32
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#else
#define UNROLL
#define ROLLED
#endif
#endif

#if PAIR_WARPS > 1
#define LANE (LOCAL_ID & 31)
#define WARP (LOCAL_ID/32)
#else
#define LANE LOCAL_ID
#define WARP 0
#endif

// The frame in the numbers of the loops; u… are edges in units of fractions.
typedef struct { real ax, bx, by, cx, cy, cz, iax, iby, icz, ux, vx, vy, wx, wy, wz; } Edges;
inline DEVICE Edges edges_of(Frame f) {
    const coordinate unit = (coordinate) 2.3283064365386963e-10;
    Edges e;
    e.ax = (real) f.ax; e.bx = (real) f.bx; e.by = (real) f.by; e.cx = (real) f.cx; e.cy = (real) f.cy; e.cz = (real) f.cz;
    e.iax = 1/e.ax; e.iby = 1/e.by; e.icz = 1/e.cz;
    e.ux = (real) (f.ax*unit); e.vx = (real) (f.bx*unit); e.vy = (real) (f.by*unit);
    e.wx = (real) (f.cx*unit); e.wy = (real) (f.cy*unit); e.wz = (real) (f.cz*unit);
    return e;
}
// The nearest image among those along b and a, then among all.
inline DEVICE real3 wrapped_ab(Edges e, real3 d) {
    const real nb = rint(d.y*e.iby);
    const real x = d.x - nb*e.bx;
    return make_real3(x - rint(x*e.iax)*e.ax, d.y - nb*e.by, d.z);
}
inline DEVICE real3 wrapped(Edges e, real3 d) {
    const real nc = rint(d.z*e.icz);
    return wrapped_ab(e, make_real3(d.x - nc*e.cx, d.y - nc*e.cy, d.z - nc*e.cz));
}
inline DEVICE real3 apart(Edges e, int4 p, int4 q) {
    const real x = (real) (int) ((uint) p.x - (uint) q.x), y = (real) (int) ((uint) p.y - (uint) q.y), z = (real) (int) ((uint) p.z - (uint) q.z);
    const real3 d = make_real3(x*e.ux + y*e.vx + z*e.wx, y*e.vy + z*e.wy, z*e.wz);
#ifdef USE_PERIODIC
    return wrapped_ab(e, d);
#else
    return d;
#endif
}

// Of two groups i < j of a copy, i owns j where their sum is even: all lists are then of equal length. A group owns itself.
inline DEVICE int first_of_copy(int group) { return COPY_OF(group)*COPY_GROUPS; }
inline DEVICE int owned_count(int i) {
    const int own = i - first_of_copy(i);
    return 1 + (own + 1)/2 + (COPY_GROUPS - 1 - own)/2;
}
inline DEVICE int owned(int i, int n) {
    const int below = (i - first_of_copy(i) + 1)/2;
    return n == 0 ? i : n <= below ? i + 1 - 2*n : i + 2*(n - below);
}
// The one of the groups 2n and 2n + 1 of its copy that group i of it owns, or i itself.
inline DEVICE int owned_of_two(int i, int n) { return 2*n < i ? 2*n + 1 - (i & 1) : 2*n + (i & 1); }

// Bit i: slot i of the group is empty. The empty slots of a copy are its last ones.
inline DEVICE uint empty_slots(int group) {
    const int first = 32*(group - first_of_copy(group));
    return first + 32 > COPY_ATOMS ? (first >= COPY_ATOMS ? 0xffffffffu : 0xffffffffu << (COPY_ATOMS - first)) : 0;
}

// Bit i: the particle in slot i of the group may not meet `atom`. The partners of a particle stand in ascending order.
inline DEVICE uint exclusion_word(int atom, int group, GLOBAL const int* RESTRICT starts, GLOBAL const int* RESTRICT partners,
                                  GLOBAL const int* RESTRICT slot_of) {
    uint word = 0;
    if (atom >= NUM_ATOMS) return word;
    for (int n = starts[atom]; n < starts[atom + 1]; ++n) {
        const int slot = slot_of[partners[n]];
        if (slot/32 == group) word |= 1u << (slot & 31);
    }
    return word;
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
// Whether two boxes of groups, of which each has a centre and half edges in fractions, are within LIST_RANGE.
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
// For a group without a list: of the groups it owns the first at `n` or behind it, in steps, that is near.
inline DEVICE int next_near(Edges e, int group, int n, int count, int step, GLOBAL const int4* RESTRICT centers, GLOBAL const float4* RESTRICT halves) {
    const Reach reach = reach_of(e);
    while (n < count && !is_near(e, reach, centers[group], halves[group], centers[owned(group, n)], halves[owned(group, n)])) n += step;
    return n;
}
#endif
)";

}  // namespace trotter::kernels
