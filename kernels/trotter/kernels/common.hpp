// Functions of all kernels: box, minimum image, fixed-point forces.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `box` of a kernel holds the three box vectors. Forces are 64-bit fixed-point numbers in units of 2^-32 kJ/mol/nm:
/// their sums do not depend on the order. x, y and z of particle i are at i, i + PADDED_NUM_ATOMS and i +
/// 2*PADDED_NUM_ATOMS. If a force or another sum over partners is not finite, or a contribution or partial sum exceeds
/// 10^9, 1 + its particle is stored at 3*PADDED_NUM_ATOMS. If KEEPS_RESIDUALS is 1, rounding residuals of x, y and z
/// add up in the first three PARTICLE_SUMs, in units of 2^-64.
inline constexpr char const* common = R"(
// Behind forces and mark stand PARTICLE_SUMS more sums for each particle, 0 when an evaluation begins as well.
#define PARTICLE_SUM(number) (3*PADDED_NUM_ATOMS + 32 + (number)*PADDED_NUM_ATOMS)

// The nearest image: right for differences shorter than half of each diagonal element of the box.
inline DEVICE coordinate3 nearest_image(coordinate3 d, GLOBAL const coordinate4* RESTRICT box) {
    const coordinate4 a = box[0], b = box[1], c = box[2];
    const coordinate nc = floor(d.z/c.z + (coordinate) 0.5);
    d = make_coordinate3(d.x - nc*c.x, d.y - nc*c.y, d.z - nc*c.z);
    const coordinate nb = floor(d.y/b.y + (coordinate) 0.5);
    d = make_coordinate3(d.x - nb*b.x, d.y - nb*b.y, d.z);
    const coordinate na = floor(d.x/a.x + (coordinate) 0.5);
    return make_coordinate3(d.x - na*a.x, d.y, d.z);
}

inline DEVICE real3 to_real3(coordinate3 d) { return make_real3((real) d.x, (real) d.y, (real) d.z); }

// Fixed-point sums wrap at 2^31 kJ/mol/nm: those beyond 2^30 are refused, and looked at after additions that are large themselves.
#define IS_LARGE(size) (!((size) < 16777216.0f))
inline DEVICE bool is_beyond_range(GLOBAL const mm_ulong* sum) {
    const mm_long now = (mm_long) *(volatile GLOBAL const mm_ulong*) sum, most = (mm_long) 1 << 62;
    return now > most || now < -most;
}
// After additions of `size` in all to three sums, or one at stride 0: writes `name` where they are beyond the range.
inline DEVICE void watch_sums(coordinate size, GLOBAL const mm_ulong* sums, int stride, GLOBAL mm_ulong* mark, int name) {
    if (!(size < (coordinate) 1e9) || is_beyond_range(sums) || is_beyond_range(sums + stride) || is_beyond_range(sums + 2*stride))
        *mark = (mm_ulong) name;
}

inline DEVICE void add_fixed(GLOBAL mm_ulong* RESTRICT sums, int at, int rest_at, real x) {
    const real scaled = x*(real) 4294967296.0;
    const mm_long rounded = ROUND_TO_LONG(scaled);
    ATOMIC_ADD(&sums[at], (mm_ulong) rounded);
    if (KEEPS_RESIDUALS)
        ATOMIC_ADD(&sums[rest_at], (mm_ulong) ROUND_TO_LONG((scaled - (real) rounded)*(real) 4294967296.0));
}
inline DEVICE void add_force(GLOBAL mm_ulong* RESTRICT forces, int atom, real3 force) {
    add_fixed(forces, atom, PARTICLE_SUM(0) + atom, force.x);
    add_fixed(forces, atom + PADDED_NUM_ATOMS, PARTICLE_SUM(1) + atom, force.y);
    add_fixed(forces, atom + 2*PADDED_NUM_ATOMS, PARTICLE_SUM(2) + atom, force.z);
    const real size = fabs(force.x) + fabs(force.y) + fabs(force.z);
    if (IS_LARGE(size)) watch_sums(size, forces + atom, PADDED_NUM_ATOMS, forces + 3*PADDED_NUM_ATOMS, atom + 1);
}
// For sums of other numbers that forces will depend on.
inline DEVICE void add_sum(GLOBAL mm_ulong* RESTRICT forces, int sums, int atom, real number) {
    ATOMIC_ADD(&forces[sums + atom], (mm_ulong) ROUND_TO_LONG(number*(real) 4294967296.0));
    if (IS_LARGE(fabs(number))) watch_sums(fabs(number), forces + sums + atom, 0, forces + 3*PADDED_NUM_ATOMS, atom + 1);
}
// For the few forces that are stiff and cancel each other, as those of bonds.
inline DEVICE void add_fine(GLOBAL mm_ulong* RESTRICT sums, int at, int rest_at, coordinate x) {
    const coordinate scaled = x*(coordinate) 4294967296.0;
    const mm_long rounded = ROUND_TO_LONG(scaled);
    ATOMIC_ADD(&sums[at], (mm_ulong) rounded);
    if (KEEPS_RESIDUALS)
        ATOMIC_ADD(&sums[rest_at], (mm_ulong) ROUND_TO_LONG((scaled - (coordinate) rounded)*(coordinate) 4294967296.0));
}
inline DEVICE void add_fine_force(GLOBAL mm_ulong* RESTRICT forces, int atom, coordinate3 force) {
    add_fine(forces, atom, PARTICLE_SUM(0) + atom, force.x);
    add_fine(forces, atom + PADDED_NUM_ATOMS, PARTICLE_SUM(1) + atom, force.y);
    add_fine(forces, atom + 2*PADDED_NUM_ATOMS, PARTICLE_SUM(2) + atom, force.z);
    const coordinate size = fabs(force.x) + fabs(force.y) + fabs(force.z);
    if (IS_LARGE(size)) watch_sums(size, forces + atom, PADDED_NUM_ATOMS, forces + 3*PADDED_NUM_ATOMS, atom + 1);
}

inline DEVICE coordinate3 force_on(GLOBAL const mm_long* RESTRICT forces, int atom) {
    const coordinate unit = (coordinate) 2.3283064365386963e-10;
    return make_coordinate3(unit*(coordinate) forces[atom], unit*(coordinate) forces[atom + PADDED_NUM_ATOMS],
                            unit*(coordinate) forces[atom + 2*PADDED_NUM_ATOMS]);
}
// And the sums.
inline DEVICE void clear_force(GLOBAL mm_long* forces, int atom) {
    forces[atom] = forces[atom + PADDED_NUM_ATOMS] = forces[atom + 2*PADDED_NUM_ATOMS] = 0;
    for (int n = 0; n < PARTICLE_SUMS; ++n) forces[PARTICLE_SUM(n) + atom] = 0;
}

// How close iterations of constraints come beyond the tolerance that is asked for: a step's velocities carry what is left,
// divided by the step size, which for 1e-5 of 1 nm in 0.5 fs is 0.02 nm/ps. Float has no digits for more, and positions of
// 1000 nm have 1e-12 of a bond's length.
inline DEVICE coordinate closer(coordinate tolerance) {
    return sizeof(coordinate) == sizeof(float) ? tolerance : fmin(tolerance, fmax(tolerance/1000, (coordinate) 1e-11));
}

// Adds the values of all work-items of the group to sums[GROUP_ID], in a fixed order. Every work-item must call it, in groups
// whose size is a power of two; `scratch` has room for one value of each.
inline DEVICE void add_group_sum(coordinate value, LOCAL_ARG coordinate* scratch, GLOBAL coordinate* RESTRICT sums) {
    scratch[LOCAL_ID] = value;
    SYNC_THREADS
    for (int split = LOCAL_SIZE/2; split > 0; split /= 2) {
        if (LOCAL_ID < split) scratch[LOCAL_ID] += scratch[LOCAL_ID + split];
        SYNC_THREADS
    }
    if (LOCAL_ID == 0) sums[GROUP_ID] += scratch[0];
    SYNC_THREADS
}
)";

}  // namespace trotter::kernels
