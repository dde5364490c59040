// Spreads charges over a mesh with B-splines of order 5, and gathers the potential's gradient.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Maps between positions and box fractions, as in `Box`.
inline constexpr char const* box_maps = R"(
inline DEVICE coordinate3 fractions(coordinate4 x, GLOBAL const coordinate4* RESTRICT box) {
    const coordinate4 a = box[0], b = box[1], c = box[2];
    const coordinate z = x.z/c.z, y = (x.y - z*c.y)/b.y;
    return make_coordinate3((x.x - y*b.x - z*c.x)/a.x, y, z);
}
// The gradient by position of what has the gradient k by fractions; a wave vector without its 2 pi.
inline DEVICE real3 reciprocal(real3 k, GLOBAL const coordinate4* RESTRICT box) {
    const coordinate4 a = box[0], b = box[1], c = box[2];
    const real x = k.x/(real) a.x, y = (k.y - x*(real) b.x)/(real) b.y;
    return make_real3(x, y, (k.z - x*(real) c.x - y*(real) c.y)/(real) c.z);
}
inline DEVICE real box_volume(GLOBAL const coordinate4* RESTRICT box) { return (real) (box[0].x*box[1].y*box[2].z); }
)";

/// The mesh holds integers of MESH_BITS bits, in units of 2^-exponent.
inline constexpr char const* mesh_numbers = R"(
#if MESH_BITS == 64
typedef mm_ulong mesh_integer;
#define MESH_ROUND(x) ((mm_ulong) ROUND_TO_LONG(x))
#define MESH_SIGNED(n) ((mm_long) (n))
#else
typedef uint mesh_integer;
#define MESH_ROUND(x) ((uint) ROUND_TO_INT(x))
#define MESH_SIGNED(n) ((int) (n))
#endif
)";

/// Requires `box_maps` and `mesh_numbers`. Five work-items per particle, each for one z of the stencil; `mesh_gather`
/// runs in work-groups of 160. `mesh_spread` processes runs of SPREAD_PARTICLES, with a brick of at most BRICK_POINTS
/// in local memory. The mesh must be zero before mesh_spread; mesh_gather clears it again. A function spline(w, value,
/// slope) computes the five weights and their derivatives. Meshes of several copies of a System are consecutive.
inline constexpr char const* mesh = R"(
#if COPIES > 1
#define MESH_OF(atom) ((atom)/(NUM_ATOMS/COPIES)*MESH_X)
#else
#define MESH_OF(atom) 0
#endif
// Where a particle stands along an axis of n points: the first of its points, and how far behind it stands.
inline DEVICE int mesh_index(coordinate fraction, int n, real* w) {
    const coordinate u = (fraction - floor(fraction))*n, left = floor(u);
    *w = (real) (u - left);
    return left >= 0 && left <= n ? (int) left % n : 0;
}
// Meshes of fewer than five points go round more than once.
inline DEVICE int mesh_point(int first, int n, int size) {
    return first + n < size ? first + n : size >= 5 ? first + n - size : (first + n) % size;
}

inline DEVICE real own_weight(int lane, const real* w) {
    return lane == 0 ? w[0] : lane == 1 ? w[1] : lane == 2 ? w[2] : lane == 3 ? w[3] : w[4];
}

inline DEVICE int mesh_wrapped(int n, int size) {
    const int rest = n % size;
    return rest < 0 ? rest + size : rest;
}
// The shortest way between two points of an axis.
inline DEVICE int mesh_offset(int n, int size) { return 2*n >= size ? n - size : 2*n < -size ? n + size : n; }
// Of the bits that are set; 0 and 0 where none is.
inline DEVICE int2 first_and_last(uint bits) {
    int first = 0, last = 31;
    while (first < last && (bits >> first & 1) == 0) ++first;
    while (last > first && (bits >> last & 1) == 0) --last;
    return make_int2(first, last);
}

#define BRICK_REACH 16

// What a particle in slot n of a run spreads: its first point along each axis, and the weights of five for each axis, those of z times
// the charge. Behind the points stands 0 for particles without charge, 2 for those in the brick, 1 for others.
inline DEVICE int4 find_stencil(int n, int atom, real charge, GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                                int exponent, LOCAL_ARG real* weights) {
    const coordinate3 s = fractions(positions[atom], box);
    real w, x[5], y[5], z[5], slope[5];
    int4 stencil;
    stencil.x = mesh_index(s.x, MESH_X, &w);
    spline(w, x, slope);
    stencil.y = mesh_index(s.y, MESH_Y, &w);
    spline(w, y, slope);
    stencil.z = mesh_index(s.z, MESH_Z, &w);
    spline(w, z, slope);
    stencil.w = charge != 0 ? 1 : 0;
    const real scaled = ldexp(charge, exponent);
    for (int k = 0; k < 5; ++k) {
        weights[k*SPREAD_PARTICLES + n] = x[k];
        weights[(5 + k)*SPREAD_PARTICLES + n] = y[k];
        weights[(10 + k)*SPREAD_PARTICLES + n] = scaled*z[k];
    }
    return stencil;
}

// Particles that follow each other in `order` are near each other: a group adds up the charges of SPREAD_PARTICLES of them on a
// brick of the mesh in local memory before it adds the brick to the mesh. What is too far away from the first particle for the
// brick is added to the mesh at once; so is everything where integers of 32 bits are too small, or the brick has no room.
KERNEL void mesh_spread(GLOBAL mesh_integer* RESTRICT mesh, GLOBAL const coordinate4* RESTRICT positions,
                        GLOBAL const coordinate4* RESTRICT box, GLOBAL const real* RESTRICT charges,
                        GLOBAL const int* RESTRICT order, int exponent) {
#if MESH_BITS == 32
    LOCAL mesh_integer brick[BRICK_POINTS];
#endif
    LOCAL real weights[15*SPREAD_PARTICLES];
    LOCAL int4 stencils[SPREAD_PARTICLES];  // relative to `base`
    LOCAL uint reached[3];
    LOCAL int4 base[1], corner[1], size[1];
    LOCAL int planes[2*BRICK_REACH + 4];  // of the mesh, for those of the brick
    for (int start = GROUP_ID*SPREAD_PARTICLES; start < PADDED_NUM_ATOMS; start += NUM_GROUPS*SPREAD_PARTICLES) {
        int4 stencil = make_int4(0, 0, 0, 0);
        const int slot = start + LOCAL_ID, atom = LOCAL_ID < SPREAD_PARTICLES && slot < PADDED_NUM_ATOMS ? order[slot] : NUM_ATOMS;
        if (atom < NUM_ATOMS) stencil = find_stencil(LOCAL_ID, atom, charges[atom], positions, box, exponent, weights);
        if (LOCAL_ID == 0) base[0] = make_int4(stencil.x, stencil.y, stencil.z, MESH_OF(atom));
        if (LOCAL_ID < 3) reached[LOCAL_ID] = 0;
        SYNC_THREADS
        if (LOCAL_ID < SPREAD_PARTICLES) {
            stencil = make_int4(mesh_offset(stencil.x - base[0].x, MESH_X), mesh_offset(stencil.y - base[0].y, MESH_Y),
                              mesh_offset(stencil.z - base[0].z, MESH_Z), stencil.w);
#if MESH_BITS == 32
            const uint x = (uint) (stencil.x + BRICK_REACH), y = (uint) (stencil.y + BRICK_REACH), z = (uint) (stencil.z + BRICK_REACH);
            if (stencil.w != 0 && MESH_OF(atom) == base[0].w && x < 2*BRICK_REACH && y < 2*BRICK_REACH && z < 2*BRICK_REACH) {
                stencil.w = 2;
                ATOMIC_OR(&reached[0], 1u << x);
                ATOMIC_OR(&reached[1], 1u << y);
                ATOMIC_OR(&reached[2], 1u << z);
            }
#endif
            stencils[LOCAL_ID] = stencil;
        }
        SYNC_THREADS
        if (LOCAL_ID == 0) {
            const int2 x = first_and_last(reached[0]), y = first_and_last(reached[1]), z = first_and_last(reached[2]);
            const int4 edges = make_int4(x.y - x.x + 5, y.y - y.x + 5, z.y - z.x + 5, 0);
            corner[0] = make_int4(base[0].x + x.x - BRICK_REACH, base[0].y + y.x - BRICK_REACH, base[0].z + z.x - BRICK_REACH, 0);
            size[0] = reached[0] != 0 && edges.x*edges.y*edges.z <= BRICK_POINTS ? edges : make_int4(0, 0, 0, 0);
        }
        SYNC_THREADS
        const int4 from = base[0], first = corner[0], edges = size[0];
#if MESH_BITS == 32
        for (int at = LOCAL_ID; at < edges.x*edges.y*edges.z; at += LOCAL_SIZE) brick[at] = 0;
        for (int x = LOCAL_ID; x < edges.x; x += LOCAL_SIZE) planes[x] = (from.w + mesh_wrapped(first.x + x, MESH_X))*MESH_Y*MESH_Z;
        SYNC_THREADS
#endif
        for (int item = LOCAL_ID; item < 5*SPREAD_PARTICLES; item += LOCAL_SIZE) {
            const int n = item/5, lane = item - 5*n;
            const int4 offset = stencils[n];
            if (offset.w == 0) continue;
            const int x0 = from.x + offset.x, y0 = from.y + offset.y, z0 = from.z + offset.z + lane;
            real y[5];
            for (int j = 0; j < 5; ++j) y[j] = weights[(5 + j)*SPREAD_PARTICLES + n];
            const real charge = weights[(10 + lane)*SPREAD_PARTICLES + n];
#if MESH_BITS == 32
            if (offset.w == 2 && edges.x != 0) {
                const int at = ((x0 - first.x)*edges.y + y0 - first.y)*edges.z + z0 - first.z;
                #pragma unroll
                for (int i = 0; i < 5; ++i) {
                    const real part = charge*weights[i*SPREAD_PARTICLES + n];
                    #pragma unroll
                    for (int j = 0; j < 5; ++j) ATOMIC_ADD(&brick[at + (i*edges.y + j)*edges.z], MESH_ROUND(part*y[j]));
                }
                continue;
            }
#endif
            const int mesh_of = MESH_OF(order[start + n]);
            for (int i = 0; i < 5; ++i) {
                const int plane = (mesh_of + mesh_wrapped(x0 + i, MESH_X))*MESH_Y;
                const real part = charge*weights[i*SPREAD_PARTICLES + n];
                for (int j = 0; j < 5; ++j)
                    ATOMIC_ADD(&mesh[(plane + mesh_wrapped(y0 + j, MESH_Y))*MESH_Z + mesh_wrapped(z0, MESH_Z)], MESH_ROUND(part*y[j]));
            }
        }
        SYNC_THREADS
#if MESH_BITS == 32
        const int layer = edges.y*edges.z;
        for (int at = LOCAL_ID; at < layer; at += LOCAL_SIZE) {
            const int y = at/edges.z, z = at - y*edges.z;
            const int line = mesh_wrapped(first.y + y, MESH_Y)*MESH_Z + mesh_wrapped(first.z + z, MESH_Z);
            for (int x = 0; x < edges.x; ++x) {
                const mesh_integer sum = brick[x*layer + at];
                if (sum != 0) ATOMIC_ADD(&mesh[planes[x] + line], sum);
            }
        }
        SYNC_THREADS
#endif
    }
}

// Groups of 160: 32 particles, whose sums are added side by side.
KERNEL void mesh_gather(GLOBAL const real* RESTRICT potential, GLOBAL mm_ulong* RESTRICT forces,
                        GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                        GLOBAL const real* RESTRICT charges, GLOBAL mesh_integer* RESTRICT mesh) {
    LOCAL real parts_x[160], parts_y[160], parts_z[160];
    for (int at = GLOBAL_ID; at < COPIES*MESH_X*MESH_Y*MESH_Z; at += GLOBAL_SIZE) mesh[at] = 0;
    for (int start = GROUP_ID*32; start < NUM_ATOMS; start += NUM_GROUPS*32) {
        const int atom = start + LOCAL_ID/5, lane = LOCAL_ID % 5;
        const real charge = atom < NUM_ATOMS ? charges[atom] : 0;
        real slope_x = 0, slope_y = 0, slope_z = 0;
        if (charge != 0) {
            const coordinate3 s = fractions(positions[atom], box);
            real w, x[5], y[5], z[5], dx[5], dy[5], dz[5];
            const int x0 = mesh_index(s.x, MESH_X, &w);
            spline(w, x, dx);
            const int y0 = mesh_index(s.y, MESH_Y, &w);
            spline(w, y, dy);
            const int z0 = mesh_point(mesh_index(s.z, MESH_Z, &w), lane, MESH_Z);
            spline(w, z, dz);
            #pragma unroll
            for (int i = 0; i < 5; ++i) {
                const int plane = (MESH_OF(atom) + mesh_point(x0, i, MESH_X))*MESH_Y;
                real value = 0, slope = 0;
                #pragma unroll
                for (int j = 0; j < 5; ++j) {
                    const real here = potential[(plane + mesh_point(y0, j, MESH_Y))*MESH_Z + z0];
                    value += here*y[j];
                    slope += here*dy[j];
                }
                slope_x += dx[i]*value;
                slope_y += x[i]*slope;
                slope_z += x[i]*value;
            }
            slope_x *= own_weight(lane, z);
            slope_y *= own_weight(lane, z);
            slope_z *= own_weight(lane, dz);
        }
        parts_x[LOCAL_ID] = slope_x;
        parts_y[LOCAL_ID] = slope_y;
        parts_z[LOCAL_ID] = slope_z;
        SYNC_THREADS
        const int mine = start + LOCAL_ID;
        if (LOCAL_ID < 32 && mine < NUM_ATOMS && charges[mine] != 0) {
            real3 sum = make_real3(0, 0, 0);
            for (int n = 5*LOCAL_ID; n < 5*LOCAL_ID + 5; ++n) sum += make_real3(parts_x[n], parts_y[n], parts_z[n]);
            const real scale = -charges[mine];
            const real3 g = reciprocal(make_real3(sum.x*MESH_X, sum.y*MESH_Y, sum.z*MESH_Z), box);
            add_force(forces, mine, make_real3(g.x*scale, g.y*scale, g.z*scale));
        }
        SYNC_THREADS
    }
}
)";

/// Requires `box_maps` and `mesh_numbers`, and functions influence(m2, volume) and influence_at_zero(volume): the
/// mesh's charges, and the factors of its transform.
inline constexpr char const* mesh_influence = R"(
inline DEVICE real charge_at(GLOBAL const mesh_integer* RESTRICT mesh, int at, int exponent) {
    return (real) MESH_SIGNED(mesh[at])*ldexp((real) 1, -exponent);
}
inline DEVICE int mesh_wave(int n, int size) { return 2*n < size ? n : n - size; }
inline DEVICE int opposite_wave(int n, int size) { return mesh_wave(n == 0 ? 0 : size - n, size); }
// What of the reciprocal vectors of the box is not 0.
inline DEVICE void reciprocal_vectors(GLOBAL const coordinate4* RESTRICT box, real* along) {
    const real3 x = reciprocal(make_real3(1, 0, 0), box), y = reciprocal(make_real3(0, 1, 0), box);
    along[0] = x.x;
    along[1] = x.y;
    along[2] = x.z;
    along[3] = y.y;
    along[4] = y.z;
    along[5] = reciprocal(make_real3(0, 0, 1), box).z;
}
inline DEVICE real influence_at(int x, int y, int z, real volume, const real* along) {
    const real mx = x*along[0], my = x*along[1] + y*along[3], mz = x*along[2] + y*along[4] + z*along[5];
    return influence(mx*mx + my*my + mz*mz, volume);
}
// What the transformed mesh is multiplied by: see MeshInfluence. `moduli` holds the inverse moduli of x, y and z.
inline DEVICE real mesh_influence(int x, int y, int z, real volume, const real* along, GLOBAL const real* RESTRICT moduli) {
    if (x == 0 && y == 0 && z == 0) return influence_at_zero(volume)*moduli[0]*moduli[MESH_X]*moduli[MESH_X + MESH_Y];
    real psi = influence_at(mesh_wave(x, MESH_X), mesh_wave(y, MESH_Y), mesh_wave(z, MESH_Z), volume, along);
    if (2*x == MESH_X || 2*y == MESH_Y || 2*z == MESH_Z)
        psi = (psi + influence_at(opposite_wave(x, MESH_X), opposite_wave(y, MESH_Y), opposite_wave(z, MESH_Z), volume, along))/2;
    return psi*moduli[x]*moduli[MESH_X + y]*moduli[MESH_X + MESH_Y + z];
}
)";

}  // namespace trotter::kernels
