// Constraint networks, one work-group each; constraints are satisfied color by color.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// A batch is one or several networks. Its particles are in slots, its constraints are pairs of slots, sorted by color:
/// those of one color share no particle. The work-items of a group process a color together, each pair moving its two
/// particles along the direction at the start (SHAKE; Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)),
/// by a little more than would satisfy it (over-relaxation; Barth, Kuczera, Leimkuhler & Skeel, J. Comput. Chem. 16,
/// 1192 (1995)). The order is fixed. Satisfied pairs are not moved, and iteration ends with a sweep that moves none: no
/// network depends on another of its batch. A few more sweeps go on to a thousandth of the tolerance, which constraints
/// that contradict each other by less than the tolerance do not reach. The bonds of a protein take 7 sweeps of 4 colors
/// to converge within 1e-5 and 18 for 1e-12, rigid tetrahedra 20 and 71.
///
/// `moves` are relative to the positions at the start: their differences keep more digits than those of positions. A
/// fourth component is an inverse mass, or the squared distance in `directions`.
inline constexpr char const* networks = R"(
#define MAX_SWEEPS 2000
#define MAX_CLOSER_SWEEPS 30
#define RELAXATION ((coordinate) 1.2)

typedef struct { int first_slot, end_slot, first_pair, end_pair, first_color, end_color; } NetworkBatch;

inline DEVICE NetworkBatch batch_at(GLOBAL const int* RESTRICT batches, int n) {
    NetworkBatch b;
    b.first_slot = batches[3*n];
    b.first_pair = batches[3*n + 1];
    b.first_color = batches[3*n + 2];
    b.end_slot = batches[3*n + 3];
    b.end_pair = batches[3*n + 4];
    b.end_color = batches[3*n + 5];
    return b;
}

#define FOR_SLOTS for (int slot = batch.first_slot + LOCAL_ID; slot < batch.end_slot; slot += LOCAL_SIZE)

// All work-items of the group must call it and what follows; all end with a barrier.
inline DEVICE void find_directions(NetworkBatch batch, GLOBAL const int2* RESTRICT pairs,
                                   GLOBAL const coordinate* RESTRICT squares, GLOBAL const int* RESTRICT slots,
                                   GLOBAL const coordinate4* positions, GLOBAL coordinate4* directions) {
    for (int p = batch.first_pair + LOCAL_ID; p < batch.end_pair; p += LOCAL_SIZE) {
        const int2 pair = pairs[p];
        const coordinate4 d = positions[slots[pair.x]] - positions[slots[pair.y]];
        directions[p] = make_coordinate4(d.x, d.y, d.z, squares[p]);
    }
    SYNC_THREADS
}

inline DEVICE void push_pair(int2 pair, coordinate4 d, coordinate push, coordinate4 a, coordinate4 b,
                             GLOBAL coordinate4* of) {
    const coordinate pa = push*a.w, pb = push*b.w;
    of[pair.x] = make_coordinate4(a.x + pa*d.x, a.y + pa*d.y, a.z + pa*d.z, a.w);
    of[pair.y] = make_coordinate4(b.x - pb*d.x, b.y - pb*d.y, b.z - pb*d.z, b.w);
}

// Both return whether the pair was right.
inline DEVICE bool relax_distance(int2 pair, coordinate4 d, GLOBAL coordinate4* moves, coordinate tolerance) {
    const coordinate4 a = moves[pair.x], b = moves[pair.y];
    const coordinate x = d.x + (a.x - b.x), y = d.y + (a.y - b.y), z = d.z + (a.z - b.z);
    const coordinate excess = (d.w - (x*x + y*y + z*z))/2;
    if (fabs(excess) <= tolerance*d.w) return true;
    push_pair(pair, d, RELAXATION*excess/((a.w + b.w)*(x*d.x + y*d.y + z*d.z)), a, b, moves);
    return false;
}
inline DEVICE bool relax_rate(int2 pair, coordinate4 d, GLOBAL coordinate4* rates, coordinate tolerance) {
    const coordinate4 a = rates[pair.x], b = rates[pair.y];
    const coordinate rate = d.x*(a.x - b.x) + d.y*(a.y - b.y) + d.z*(a.z - b.z);
    if (rate*rate <= tolerance*tolerance*d.w) return true;
    push_pair(pair, d, -RELAXATION*rate/((a.w + b.w)*(d.x*d.x + d.y*d.y + d.z*d.z)), a, b, rates);
    return false;
}

// Distances within the relative tolerance for `are_rates` 0, else speeds along the pairs within the tolerance in nm/ps.
// The three marks say which sweeps changed something: one is cleared, one written, and the third may still be read.
// Returns the number of sweeps.
inline DEVICE int sweep(NetworkBatch batch, GLOBAL const int2* RESTRICT pairs, GLOBAL const int* RESTRICT color_ends,
                        GLOBAL const coordinate4* directions, GLOBAL coordinate4* values, int are_rates,
                        coordinate tolerance, int most, LOCAL_ARG int* marks) {
    if (LOCAL_ID == 0) marks[0] = 0;
    SYNC_THREADS
    int count = 0;
    for (int is_done = 0; count < most && !is_done; ++count) {
        if (LOCAL_ID == 0) marks[(count + 1)%3] = 0;
        int first = batch.first_pair;
        for (int color = batch.first_color; color < batch.end_color; ++color) {
            const int end = color_ends[color];
            for (int p = first + LOCAL_ID; p < end; p += LOCAL_SIZE) {
                const bool is_right = are_rates ? relax_rate(pairs[p], directions[p], values, tolerance)
                                                : relax_distance(pairs[p], directions[p], values, tolerance);
                if (!is_right) marks[count%3] = 1;
            }
            first = end;
            SYNC_THREADS
        }
        is_done = marks[count%3] == 0;
    }
    SYNC_THREADS
    return count;
}
inline DEVICE void relax(NetworkBatch batch, GLOBAL const int2* RESTRICT pairs, GLOBAL const int* RESTRICT color_ends,
                         GLOBAL const coordinate4* directions, GLOBAL const int* RESTRICT slots,
                         GLOBAL coordinate4* values, int are_rates, coordinate tolerance, LOCAL_ARG int* marks,
                         GLOBAL int* RESTRICT failures) {
    const int count = sweep(batch, pairs, color_ends, directions, values, are_rates, tolerance, MAX_SWEEPS, marks);
    for (int p = batch.first_pair + LOCAL_ID; count == MAX_SWEEPS && p < batch.end_pair; p += LOCAL_SIZE)
        if (!(are_rates ? relax_rate(pairs[p], directions[p], values, tolerance)
                        : relax_distance(pairs[p], directions[p], values, tolerance)))
            failures[0] = slots[pairs[p].x] + 1;
    sweep(batch, pairs, color_ends, directions, values, are_rates, closer(tolerance), MAX_CLOSER_SWEEPS, marks);
}
)";

/// Requires `networks`: constraints without other operators.
inline constexpr char const* network_constraints = R"(
KERNEL void constrain_network_positions(GLOBAL coordinate4* positions, GLOBAL const coordinate4* starts,
                                        GLOBAL const mixed4* RESTRICT velocities, float tolerance, NETWORK_PARAMETERS) {
    LOCAL int marks[3];
    for (int n = first_batch + GROUP_ID; n < end_batch; n += NUM_GROUPS) {
        const NetworkBatch batch = batch_at(batches, n);
        FOR_SLOTS {
            const int atom = slots[slot];
            const coordinate4 d = positions[atom] - starts[atom];
            moves[slot] = make_coordinate4(d.x, d.y, d.z, velocities[atom].w);
        }
        find_directions(batch, pairs, squares, slots, starts, directions);
        relax(batch, pairs, color_ends, directions, slots, moves, 0, tolerance, marks, failures);
        FOR_SLOTS {
            const int atom = slots[slot];
            const coordinate4 x = starts[atom] + moves[slot];
            positions[atom] = make_coordinate4(x.x, x.y, x.z, 0);
        }
        SYNC_THREADS
    }
}

KERNEL void constrain_network_velocities(GLOBAL const coordinate4* positions, GLOBAL mixed4* RESTRICT velocities,
                                         float tolerance, NETWORK_PARAMETERS) {
    LOCAL int marks[3];
    for (int n = first_batch + GROUP_ID; n < end_batch; n += NUM_GROUPS) {
        const NetworkBatch batch = batch_at(batches, n);
        FOR_SLOTS {
            const mixed4 v = velocities[slots[slot]];
            rates[slot] = make_coordinate4(v.x, v.y, v.z, v.w);
        }
        find_directions(batch, pairs, squares, slots, positions, directions);
        relax(batch, pairs, color_ends, directions, slots, rates, 1, tolerance, marks, failures);
        FOR_SLOTS {
            const coordinate4 v = rates[slot];
            velocities[slots[slot]] = make_mixed4((mixed) v.x, (mixed) v.y, (mixed) v.z, velocities[slots[slot]].w);
        }
        SYNC_THREADS
    }
}
)";

}  // namespace trotter::kernels
