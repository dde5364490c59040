// The eight particles of a j cluster in the registers of 32 lanes.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `pairs`; precedes a loop over them.
inline constexpr char const* j_clusters = R"(
// Registers for so many warps a multiprocessor: 28 keep an item's memory waits short where there is a round of items, 24 leave
// nothing to keep in memory where there are many, or without a cutoff, where one loop holds more than one interaction.
#if defined(SHUFFLE_FROM) && !defined(REAL_IS_DOUBLE) && defined(USE_CUTOFF)
#define PAIR_BOUNDS GROUP_BOUNDS(32*PAIR_WARPS, PAIR_GROUPS)
#elif defined(SHUFFLE_FROM) && !defined(REAL_IS_DOUBLE)
#define PAIR_BOUNDS GROUP_BOUNDS(32*PAIR_WARPS, 6)
#else
#define PAIR_BOUNDS
#endif

// The smallest normal number, see least_distance.hpp.
#ifdef REAL_IS_DOUBLE
#define LEAST_SQUARE 2.2250738585072014e-308
#else
#define LEAST_SQUARE 1.17549435e-38f
#endif

// Of each j cluster's particles an item takes SLOTS.
#define SLOTS (8/SLOT_SPLITS)

// Bits of j clusters in the order in which a lane meets their particles: those at first + n, modulo 8, come to n.
inline DEVICE uint beginning_with(int first, uint bits) {
    const uint stay = (0xffu >> first)*0x01010101u;
    return (bits >> first & stay) | (bits << (8 - first) & ~stay);
}

// Positions are relative to an origin near the group, in the image nearest to it; without a cutoff there stand in slots
// the first and the last group with partners of the particle, where the words of these groups begin, and the particle's
// number.
#if defined(REAL_IS_DOUBLE) || !defined(USE_CUTOFF)
typedef coordinate3 Origin;
inline DEVICE Origin origin_at(Frame f, GLOBAL const coordinate4* RESTRICT positions, int4 center) {
#ifdef USE_PERIODIC
    const coordinate unit = (coordinate) 2.3283064365386963e-10, x = unit*(uint) center.x, y = unit*(uint) center.y, z = unit*(uint) center.z;
    return make_coordinate3(x*f.ax + y*f.bx + z*f.cx, y*f.by + z*f.cy, z*f.cz);
#else
    const coordinate4 p = positions[center.w < NUM_ATOMS ? center.w : 0];
    return make_coordinate3(p.x, p.y, p.z);
#endif
}
#define POSITION_FROM(origin, p) position_from(positions, box, origin, p)
inline DEVICE real3 position_from(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, Origin origin, int4 p) {
    const coordinate4 position = positions[p.w < NUM_ATOMS ? p.w : 0];
    coordinate3 result = make_coordinate3(position.x - origin.x, position.y - origin.y, position.z - origin.z);
#ifdef USE_PERIODIC
    result = nearest_image(result, box);
#endif
    return to_real3(result);
}
#else
typedef int4 Origin;
inline DEVICE Origin origin_at(Frame f, GLOBAL const coordinate4* RESTRICT positions, int4 center) { return center; }
#define POSITION_FROM(origin, p) apart(edges, p, origin)
#endif

// Positions are float numbers in mixed precision: good to 2^-25 of their distance from the origin, a nm or so. Pairs
// that are this close to each other are met once more, with their difference as positions have it; and so are those far
// from the origin, where a group without a cutoff has spread. With a cutoff that costs 2 to 8 % of a step, and is done
// for the forces of containers.
#if !defined(REAL_IS_DOUBLE) && (EXACT_CLOSE_PAIRS || !defined(USE_CUTOFF))
#define CLOSE_PAIRS_ARE_EXACT
#define FAR_SQUARED 64
inline DEVICE real close_squared(real3 position) {
    real result = (real) 0.01;
#ifndef USE_CUTOFF
    const real distance = position.x*position.x + position.y*position.y + position.z*position.z;
    if (distance > FAR_SQUARED) result += distance/1024;
#endif
    return result;
}
inline DEVICE bool is_far_off(real3 position) {
    return position.x*position.x + position.y*position.y + position.z*position.z > FAR_SQUARED;
}
inline DEVICE real3 exactly_apart(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, int atom1, int atom2) {
    const coordinate4 p = positions[atom1], q = positions[atom2];
    coordinate3 d = make_coordinate3(p.x - q.x, p.y - q.y, p.z - q.z);
#ifdef USE_PERIODIC
    d = nearest_image(d, box);
#endif
    return to_real3(d);
}
#endif

// The sum over all lanes of what they have for a particle of the j cluster. In registers, `values` of a lane begin with
// what it has for the particle `first` of the j cluster, its own, and the sums are left to four lanes, a part to each:
// lanes hand on what they have for particles of others, half of it each time, to lanes that have begun so much later.
// Without shuffles all is in local memory.
#ifdef SHUFFLE_FROM
inline DEVICE real j_cluster_part(real* values) {
    UNROLL
    for (int width = SLOTS/2; width > 0; width /= 2) {
        const int from = (LANE + 32 - 4*width) & 31;
        UNROLL
        for (int n = 0; n < width; ++n) values[n] += SHUFFLE_FROM(values[n + width], from);
    }
    return values[0];
}
#define TOTALS 128
#define ADD_TO_TOTAL(total, j_cluster, values) total[32*j_cluster + LANE] += j_cluster_part(values);
inline DEVICE real total_of(LOCAL_ARG const real* totals, int lane, int skipped_slots) {
    LOCAL_ARG const real* parts = totals + 32*(lane/8) + 4*((lane - skipped_slots) & 7);
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}
#else
inline DEVICE real j_cluster_sum(LOCAL_ARG const real* values, int n) {
    real sum = 0;
    for (int lane = 0; lane < 32; ++lane) sum += values[32*n + lane];
    return sum;
}
#define TOTALS 32
inline DEVICE real total_of(LOCAL_ARG const real* totals, int lane, int skipped_slots) { return totals[lane]; }
#endif
)";

}  // namespace trotter::kernels
