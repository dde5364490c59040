// What the search for pairs and the loops over them share: positions as fractions of a frame, groups, votes, exclusions.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Particles stand in slots; 32 slots are a group, of four octets. A position in a slot is three 32-bit fractions of the
/// frame, which is the box or, without periodic images, a cube around all particles; differences of fractions wrap. Of two groups,
/// the one `owned` by the other has their pairs in the other's list.
inline constexpr char const* pairs = R"(
#define GROUPS (PADDED_NUM_ATOMS/32)
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define SHUFFLE_XOR(value, lanes) __shfl_xor_sync(0xffffffffu, value, lanes)
#define SHUFFLE_UP(value, lanes) __shfl_up_sync(0xffffffffu, value, lanes)
#define ANY_LANE(condition) __any_sync(0xffffffffu, condition)
#define UNROLL _Pragma("unroll")
#else
#define ANY_LANE(condition) true
#if SIMT_WIDTH >= 32
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif
#endif

typedef struct { coordinate ax, bx, by, cx, cy, cz, ox, oy, oz; } Frame;

// marks[1] has bit k set where some particle is less than 2^k nm away from particle 0 along each axis.
inline DEVICE Frame frame_of(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                             GLOBAL const int* RESTRICT marks) {
    Frame f;
#ifdef USE_PERIODIC
    f.ax = box[0].x; f.bx = box[1].x; f.by = box[1].y; f.cx = box[2].x; f.cy = box[2].y; f.cz = box[2].z;
    f.ox = f.oy = f.oz = 0;
#else
    coordinate edge = 4;
    for (int bits = marks[1]; bits > 1; bits >>= 1) edge *= 2;
    f.ax = f.by = f.cz = edge;
    f.bx = f.cx = f.cy = 0;
    f.ox = positions[0].x; f.oy = positions[0].y; f.oz = positions[0].z;
#endif
    return f;
}

inline DEVICE int as_fraction(coordinate x) {
#ifdef USE_PERIODIC
    x -= floor(x);
#endif
    return (int) (uint) (mm_long) (x*(coordinate) 4294967296.0);
}
inline DEVICE int4 fractions_of(Frame f, coordinate4 p, int atom) {
    const coordinate z = (p.z - f.oz)/f.cz, y = (p.y - f.oy - z*f.cy)/f.by, x = (p.x - f.ox - y*f.bx - z*f.cx)/f.ax;
    return make_int4(as_fraction(x), as_fraction(y), as_fraction(z), atom);
}

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

// Of two groups i < j, i owns j where their sum is even: all lists are then of equal length. A group owns itself.
inline DEVICE int owned_count(int i) { return 1 + (i + 1)/2 + (GROUPS - 1 - i)/2; }
inline DEVICE int owned(int i, int n) {
    const int below = (i + 1)/2;
    return n == 0 ? i : n <= below ? i + 1 - 2*n : i + 2*(n - below);
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
)";

}  // namespace trotter::kernels
