// Source of the kernels of multipoles: mesh, solver of induced dipoles, forces.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::amoeba::kernels {

/// A site's data as in `MultipoleText`, and functions for its moments and the potential that acts on them. A potential
/// with all derivatives up to the third is 20 numbers: 1, x, y, z, xx, xy, xz, yy, yz, zz, xxx, xxy, xxz, xyy, xyz, xzz,
/// yyy, yyz, yzz, zzz.
inline constexpr char const* sites = R"(
#define FIXED_UNIT ((coordinate) 2.3283064365386963e-10)
inline DEVICE real sum_of(GLOBAL const mm_long* RESTRICT forces, int number, int atom) {
    return (real) ((coordinate) forces[PARTICLE_SUM(number) + atom]*FIXED_UNIT);
}
inline DEVICE real3 sums_of(GLOBAL const mm_long* RESTRICT forces, int number, int atom) {
    return make_real3(sum_of(forces, number, atom), sum_of(forces, number + 1, atom), sum_of(forces, number + 2, atom));
}
inline DEVICE void clear_sums(GLOBAL mm_long* RESTRICT forces, int number, int count, int atom) {
    for (int n = number; n < number + count; ++n) forces[PARTICLE_SUM(n) + atom] = 0;
}
inline DEVICE real3 xyz(real4 v) { return make_real3(v.x, v.y, v.z); }
inline DEVICE real dot3(real3 a, real3 b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
)";

/// Requires `box_maps` and `mesh_numbers` of the core, and a function spline_derivatives(w, values): the five weights
/// and their first three derivatives, weight k and derivative n at 5 n + k. The meshes of two sets stand side by side.
inline constexpr char const* mesh = R"(
#define MESH_POINTS (MESH_X*MESH_Y*MESH_Z)
inline DEVICE int stencil_start(coordinate fraction, int size, real* w) {
    const coordinate shifted = fraction + (coordinate) 0.5;  // as on the host
    const coordinate u = (shifted - floor(shifted))*size, left = floor(u);
    *w = (real) (u - left);
    return left >= 0 && left <= size ? (int) left % size : 0;
}
inline DEVICE int stencil_point(int first, int n, int size) { return (first + n) % size; }
// The splines of a site along each axis, and the first point of each.
inline DEVICE int3 splines_at(coordinate4 position, GLOBAL const coordinate4* RESTRICT box, real* x, real* y, real* z) {
    const coordinate3 s = fractions(position, box);
    real w;
    const int x0 = stencil_start(s.x, MESH_X, &w);
    spline_derivatives(w, x);
    const int y0 = stencil_start(s.y, MESH_Y, &w);
    spline_derivatives(w, y);
    const int z0 = stencil_start(s.z, MESH_Z, &w);
    spline_derivatives(w, z);
    return make_int3(x0, y0, z0);
}
// What of the derivatives of mesh coordinates by positions is not 0.
typedef struct { real xx, xy, xz, yy, yz, zz; } MeshScale;
inline DEVICE MeshScale mesh_scale(GLOBAL const coordinate4* RESTRICT box) {
    const real3 x = reciprocal(make_real3(1, 0, 0), box), y = reciprocal(make_real3(0, 1, 0), box), z = reciprocal(make_real3(0, 0, 1), box);
    MeshScale scale;
    scale.xx = MESH_X*x.x; scale.xy = MESH_X*x.y; scale.xz = MESH_X*x.z;
    scale.yy = MESH_Y*y.y; scale.yz = MESH_Y*y.z;
    scale.zz = MESH_Z*z.z;
    return scale;
}
inline DEVICE real3 in_mesh(MeshScale s, real3 v) {
    return make_real3(s.xx*v.x + s.xy*v.y + s.xz*v.z, s.yy*v.y + s.yz*v.z, s.zz*v.z);
}
// The gradient by positions of what has the gradient v by mesh coordinates.
inline DEVICE real3 from_mesh(MeshScale s, real3 v) {
    return make_real3(s.xx*v.x, s.xy*v.x + s.yy*v.y, s.xz*v.x + s.yz*v.y + s.zz*v.z);
}
inline DEVICE void add_to_mesh(GLOBAL mesh_integer* RESTRICT mesh, int at, real charge) {
    ATOMIC_ADD(&mesh[at], MESH_ROUND(charge*(real) MESH_STEPS));
}

// One work-item for each of the five planes along z of a site's points.
KERNEL void multipole_spread(GLOBAL mesh_integer* RESTRICT mesh, GLOBAL const coordinate4* RESTRICT positions,
                             GLOBAL const coordinate4* RESTRICT box, GLOBAL const real4* RESTRICT site_a,
                             GLOBAL const real4* RESTRICT site_b, GLOBAL const real4* RESTRICT site_c, GLOBAL const int* RESTRICT order) {
    for (int item = GLOBAL_ID; item < 5*PADDED_NUM_ATOMS; item += GLOBAL_SIZE) {
        const int atom = order[item/5], lane = item % 5;
        if (atom >= NUM_ATOMS) continue;
        const MeshScale scale = mesh_scale(box);
        real x[20], y[20], z[20];
        const int3 first = splines_at(positions[atom], box, x, y, z);
        const int z0 = stencil_point(first.z, lane, MESH_Z);
        const real4 a = site_a[atom], b = site_b[atom], c = site_c[atom];
        const real3 d = in_mesh(scale, make_real3(a.y, a.z, a.w));
        // The quadrupole's rows, then its columns.
        const real3 qx = in_mesh(scale, make_real3(b.x, b.y, b.z)), qy = in_mesh(scale, make_real3(b.y, b.w, c.x)),
                    qz = in_mesh(scale, make_real3(b.z, c.x, c.y));
        const real3 q0 = in_mesh(scale, make_real3(qx.x, qy.x, qz.x)), q1 = in_mesh(scale, make_real3(qx.y, qy.y, qz.y)),
                    q2 = in_mesh(scale, make_real3(qx.z, qy.z, qz.z));
        const real t0 = z[lane], t1 = z[5 + lane], t2 = z[10 + lane];
        for (int i = 0; i < 5; ++i) {
            const int plane = stencil_point(first.x, i, MESH_X)*MESH_Y;
            for (int j = 0; j < 5; ++j) {
                const real of_value = x[i]*y[j], of_x = x[5 + i]*y[j], of_y = x[i]*y[5 + j];
                const real charge = t0*(a.x*of_value + d.x*of_x + d.y*of_y + q0.x*x[10 + i]*y[j] + q1.y*x[i]*y[10 + j] + 2*q0.y*x[5 + i]*y[5 + j])
                                    + t1*(d.z*of_value + 2*q0.z*of_x + 2*q1.z*of_y) + t2*q2.z*of_value;
                add_to_mesh(mesh, (plane + stencil_point(first.y, j, MESH_Y))*MESH_Z + z0, charge);
            }
        }
    }
}
// The two sets of dipoles, whose meshes stand side by side.
KERNEL void dipole_spread(GLOBAL mesh_integer* RESTRICT mesh, GLOBAL const coordinate4* RESTRICT positions,
                          GLOBAL const coordinate4* RESTRICT box, GLOBAL const real4* RESTRICT of_d,
                          GLOBAL const real4* RESTRICT of_p, GLOBAL const int* RESTRICT order) {
    for (int item = GLOBAL_ID; item < 5*PADDED_NUM_ATOMS; item += GLOBAL_SIZE) {
        const int atom = order[item/5], lane = item % 5;
        if (atom >= NUM_ATOMS) continue;
        const MeshScale scale = mesh_scale(box);
        real x[20], y[20], z[20];
        const int3 first = splines_at(positions[atom], box, x, y, z);
        const int z0 = stencil_point(first.z, lane, MESH_Z);
        const real3 d = in_mesh(scale, xyz(of_d[atom])), p = in_mesh(scale, xyz(of_p[atom]));
        const real t0 = z[lane], t1 = z[5 + lane];
        for (int i = 0; i < 5; ++i) {
            const int plane = stencil_point(first.x, i, MESH_X)*MESH_Y;
            for (int j = 0; j < 5; ++j) {
                const real along_x = x[5 + i]*y[j]*t0, along_y = x[i]*y[5 + j]*t0, along_z = x[i]*y[j]*t1;
                const int at = (plane + stencil_point(first.y, j, MESH_Y))*MESH_Z + z0;
                add_to_mesh(mesh, 2*at, d.x*along_x + d.y*along_y + d.z*along_z);
                add_to_mesh(mesh, 2*at + 1, p.x*along_x + p.y*along_y + p.z*along_z);
            }
        }
    }
}

// The gradients of two potentials, by five work-items for each site, as `mesh_gather` of the core. Clears the mesh.
KERNEL void dipole_gather(GLOBAL const real* RESTRICT potential, GLOBAL const coordinate4* RESTRICT positions,
                          GLOBAL const coordinate4* RESTRICT box, GLOBAL real4* RESTRICT gradient_d,
                          GLOBAL real4* RESTRICT gradient_p, GLOBAL mesh_integer* RESTRICT mesh) {
    LOCAL real parts[6*160];
    for (int at = GLOBAL_ID; at < 2*MESH_POINTS; at += GLOBAL_SIZE) mesh[at] = 0;
    for (int start = GROUP_ID*32; start < NUM_ATOMS; start += NUM_GROUPS*32) {
        const int atom = start + LOCAL_ID/5, lane = LOCAL_ID % 5;
        real3 d = make_real3(0, 0, 0), p = make_real3(0, 0, 0);
        if (atom < NUM_ATOMS) {
            real x[20], y[20], z[20];
            const int3 first = splines_at(positions[atom], box, x, y, z);
            const int z0 = stencil_point(first.z, lane, MESH_Z);
            const real t0 = z[lane], t1 = z[5 + lane];
            for (int i = 0; i < 5; ++i) {
                const int plane = stencil_point(first.x, i, MESH_X)*MESH_Y;
                real value_d = 0, slope_d = 0, value_p = 0, slope_p = 0;
                for (int j = 0; j < 5; ++j) {
                    const int at = (plane + stencil_point(first.y, j, MESH_Y))*MESH_Z + z0;
                    const real of_d = potential[2*at], of_p = potential[2*at + 1];
                    value_d += of_d*y[j]; slope_d += of_d*y[5 + j];
                    value_p += of_p*y[j]; slope_p += of_p*y[5 + j];
                }
                d.x += x[5 + i]*value_d*t0; d.y += x[i]*slope_d*t0; d.z += x[i]*value_d*t1;
                p.x += x[5 + i]*value_p*t0; p.y += x[i]*slope_p*t0; p.z += x[i]*value_p*t1;
            }
        }
        const real own[6] = {d.x, d.y, d.z, p.x, p.y, p.z};
        for (int n = 0; n < 6; ++n) parts[160*n + LOCAL_ID] = own[n];
        SYNC_THREADS
        if (LOCAL_ID < 32 && start + LOCAL_ID < NUM_ATOMS) {
            real sums[6];
            for (int n = 0; n < 6; ++n) {
                sums[n] = 0;
                for (int k = 5*LOCAL_ID; k < 5*LOCAL_ID + 5; ++k) sums[n] += parts[160*n + k];
            }
            const MeshScale scale = mesh_scale(box);
            const real3 of_d = from_mesh(scale, make_real3(sums[0], sums[1], sums[2])),
                        of_p = from_mesh(scale, make_real3(sums[3], sums[4], sums[5]));
            gradient_d[start + LOCAL_ID] = make_real4(of_d.x, of_d.y, of_d.z, 0);
            gradient_p[start + LOCAL_ID] = make_real4(of_p.x, of_p.y, of_p.z, 0);
        }
        SYNC_THREADS
    }
}

// Elements of a symmetric tensor of third rank among the last ten numbers.
inline DEVICE int third_element(int i, int j, int k) {
    const int z = (i == 2) + (j == 2) + (k == 2), y = (i == 1) + (j == 1) + (k == 1), rest = y + z;
    return 10 + rest*(rest + 1)/2 + z;
}
inline DEVICE int second_element(int i, int j) {
    const int z = (i == 2) + (j == 2), y = (i == 1) + (j == 1), rest = y + z;
    return 4 + rest*(rest + 1)/2 + z;
}
// The potential of each of MESHES meshes with all derivatives: number n of a site is at n*PADDED_NUM_ATOMS + site. Clears the mesh.
KERNEL void multipole_gather(GLOBAL const real* RESTRICT potential, GLOBAL const coordinate4* RESTRICT positions,
                             GLOBAL const coordinate4* RESTRICT box, GLOBAL real* RESTRICT derivatives,
                             GLOBAL mesh_integer* RESTRICT mesh, int meshes) {
    for (int at = GLOBAL_ID; at < meshes*MESH_POINTS; at += GLOBAL_SIZE) mesh[at] = 0;
    for (int item = GLOBAL_ID; item < meshes*NUM_ATOMS; item += GLOBAL_SIZE) {
        const int number = item/NUM_ATOMS, atom = item % NUM_ATOMS;
        GLOBAL const real* here = potential + number;
        real x[20], y[20], z[20];
        const int3 start = splines_at(positions[atom], box, x, y, z);
        real f[20];
        for (int n = 0; n < 20; ++n) f[n] = 0;
        for (int i = 0; i < 5; ++i) {
            const int plane = stencil_point(start.x, i, MESH_X)*MESH_Y;
            real g[10];  // of the plane: 1, y, z, yy, yz, zz, yyy, yyz, yzz, zzz
            for (int n = 0; n < 10; ++n) g[n] = 0;
            for (int j = 0; j < 5; ++j) {
                const int line = (plane + stencil_point(start.y, j, MESH_Y))*MESH_Z;
                real h0 = 0, h1 = 0, h2 = 0, h3 = 0;
                for (int k = 0; k < 5; ++k) {
                    const real value = here[meshes*(line + stencil_point(start.z, k, MESH_Z))];
                    h0 += value*z[k]; h1 += value*z[5 + k]; h2 += value*z[10 + k]; h3 += value*z[15 + k];
                }
                g[0] += y[j]*h0; g[1] += y[5 + j]*h0; g[2] += y[j]*h1;
                g[3] += y[10 + j]*h0; g[4] += y[5 + j]*h1; g[5] += y[j]*h2;
                g[6] += y[15 + j]*h0; g[7] += y[10 + j]*h1; g[8] += y[5 + j]*h2; g[9] += y[j]*h3;
            }
            f[0] += x[i]*g[0];
            f[1] += x[5 + i]*g[0]; f[2] += x[i]*g[1]; f[3] += x[i]*g[2];
            f[4] += x[10 + i]*g[0]; f[5] += x[5 + i]*g[1]; f[6] += x[5 + i]*g[2]; f[7] += x[i]*g[3]; f[8] += x[i]*g[4]; f[9] += x[i]*g[5];
            f[10] += x[15 + i]*g[0]; f[11] += x[10 + i]*g[1]; f[12] += x[10 + i]*g[2]; f[13] += x[5 + i]*g[3]; f[14] += x[5 + i]*g[4];
            f[15] += x[5 + i]*g[5]; f[16] += x[i]*g[6]; f[17] += x[i]*g[7]; f[18] += x[i]*g[8]; f[19] += x[i]*g[9];
        }
        const MeshScale scale = mesh_scale(box);
        real result[20];
        result[0] = f[0];
        const real3 first = from_mesh(scale, make_real3(f[1], f[2], f[3]));
        result[1] = first.x; result[2] = first.y; result[3] = first.z;
        // Index after index goes from mesh coordinates to positions.
        real second[3][3];
        for (int i = 0; i < 3; ++i) {
            const real3 row = from_mesh(scale, make_real3(f[second_element(i, 0)], f[second_element(i, 1)], f[second_element(i, 2)]));
            second[i][0] = row.x; second[i][1] = row.y; second[i][2] = row.z;
        }
        for (int j = 0; j < 3; ++j) {
            const real3 column = from_mesh(scale, make_real3(second[0][j], second[1][j], second[2][j]));
            result[second_element(0, j)] = column.x;
            if (j >= 1) result[second_element(1, j)] = column.y;
            if (j == 2) result[second_element(2, j)] = column.z;
        }
        real third[3][3][3], next[3][3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const real3 row = from_mesh(scale, make_real3(f[third_element(i, j, 0)], f[third_element(i, j, 1)], f[third_element(i, j, 2)]));
                third[i][j][0] = row.x; third[i][j][1] = row.y; third[i][j][2] = row.z;
            }
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
                const real3 row = from_mesh(scale, make_real3(third[i][0][k], third[i][1][k], third[i][2][k]));
                next[i][0][k] = row.x; next[i][1][k] = row.y; next[i][2][k] = row.z;
            }
        for (int j = 0; j < 3; ++j)
            for (int k = j; k < 3; ++k) {
                const real3 row = from_mesh(scale, make_real3(next[0][j][k], next[1][j][k], next[2][j][k]));
                result[third_element(0, j, k)] = row.x;
                if (j >= 1) result[third_element(1, j, k)] = row.y;
                if (j == 2) result[third_element(2, j, k)] = row.z;
            }
        for (int n = 0; n < 20; ++n) derivatives[(20*number + n)*PADDED_NUM_ATOMS + atom] = result[n];
    }
}
)";

/// Requires `sites`. Sums 0 to 2 are the field e of permanent moments, 3 to 5 and 6 to 8 the fields d and p of special
/// pairs; then 0 to 5 are the fields of the two sets of dipoles, and at the end 0 to 2 forces and 3 to 5 torques.
/// SELF_FIELD is the field of a dipole's own part on the mesh, per dipole, 0 without a mesh. Partial sums of products
/// have PARTS numbers for each of the two sets.
inline constexpr char const* solver = R"(
// The fields of permanent moments, and the dipoles that they induce.
KERNEL void induce(GLOBAL mm_long* RESTRICT forces, GLOBAL const real4* RESTRICT site_a, GLOBAL const real* RESTRICT derivatives,
                   GLOBAL const real* RESTRICT polarizability, GLOBAL real4* RESTRICT field_d, GLOBAL real4* RESTRICT field_p,
                   GLOBAL real4* RESTRICT dipole_d, GLOBAL real4* RESTRICT dipole_p) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real3 e = sums_of(forces, FIRST_SUM, atom), d = sums_of(forces, FIRST_SUM + 3, atom), p = sums_of(forces, FIRST_SUM + 6, atom);
        real3 both = e;
#ifdef HAS_MESH
        const real4 a = site_a[atom];
        both.x += SELF_FIELD*a.y - derivatives[PADDED_NUM_ATOMS + atom];
        both.y += SELF_FIELD*a.z - derivatives[2*PADDED_NUM_ATOMS + atom];
        both.z += SELF_FIELD*a.w - derivatives[3*PADDED_NUM_ATOMS + atom];
#endif
        const real4 of_d = make_real4(both.x + d.x, both.y + d.y, both.z + d.z, 0), of_p = make_real4(both.x + p.x, both.y + p.y, both.z + p.z, 0);
        const real alpha = polarizability[atom];
        field_d[atom] = of_d;
        field_p[atom] = of_p;
        dipole_d[atom] = make_real4(alpha*of_d.x, alpha*of_d.y, alpha*of_d.z, 0);
        dipole_p[atom] = make_real4(alpha*of_p.x, alpha*of_p.y, alpha*of_p.z, 0);
        clear_sums(forces, FIRST_SUM, 9, atom);
    }
}

// The field of the dipoles on a site: sums over pairs, the mesh, and what it holds of the dipole itself.
inline DEVICE real3 field_of_dipoles(GLOBAL mm_long* RESTRICT forces, int set, GLOBAL const real4* RESTRICT gradient, real4 dipole, int atom) {
    real3 field = sums_of(forces, FIRST_SUM + 3*set, atom);
#ifdef HAS_MESH
    const real4 g = gradient[atom];
    field.x += SELF_FIELD*dipole.x - g.x;
    field.y += SELF_FIELD*dipole.y - g.y;
    field.z += SELF_FIELD*dipole.z - g.z;
#endif
    return field;
}

// The first change α(E + T μ) - μ, which is the first direction too. Of products: Σ change²/α and Σ change².
KERNEL void first_change(GLOBAL mm_long* RESTRICT forces, GLOBAL const real* RESTRICT polarizability,
                         GLOBAL const real4* RESTRICT field_d, GLOBAL const real4* RESTRICT field_p,
                         GLOBAL const real4* RESTRICT gradient_d, GLOBAL const real4* RESTRICT gradient_p,
                         GLOBAL const real4* RESTRICT dipole_d, GLOBAL const real4* RESTRICT dipole_p,
                         GLOBAL real4* RESTRICT change_d, GLOBAL real4* RESTRICT change_p,
                         GLOBAL real4* RESTRICT direction_d, GLOBAL real4* RESTRICT direction_p,
                         GLOBAL coordinate* RESTRICT squares, GLOBAL coordinate* RESTRICT changes, GLOBAL coordinate* RESTRICT totals) {
    LOCAL coordinate scratch[64];
    if (GLOBAL_ID == 0) totals[2] = 0;
    coordinate square_d = 0, square_p = 0, norm_d = 0, norm_p = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real alpha = polarizability[atom];
        for (int set = 0; set < 2; ++set) {
            const real4 dipole = set == 0 ? dipole_d[atom] : dipole_p[atom], e = set == 0 ? field_d[atom] : field_p[atom];
            const real3 t = field_of_dipoles(forces, set, set == 0 ? gradient_d : gradient_p, dipole, atom);
            const real4 change = make_real4(alpha*(e.x + t.x) - dipole.x, alpha*(e.y + t.y) - dipole.y, alpha*(e.z + t.z) - dipole.z, 0);
            const coordinate norm = (coordinate) change.x*change.x + (coordinate) change.y*change.y + (coordinate) change.z*change.z;
            const coordinate square = alpha > 0 ? norm/alpha : 0;
            if (set == 0) { change_d[atom] = direction_d[atom] = change; square_d += square; norm_d += norm; }
            else { change_p[atom] = direction_p[atom] = change; square_p += square; norm_p += norm; }
        }
        clear_sums(forces, FIRST_SUM, 6, atom);
    }
    if (LOCAL_ID == 0) { squares[GROUP_ID] = squares[PARTS + GROUP_ID] = changes[GROUP_ID] = changes[PARTS + GROUP_ID] = 0; }
    SYNC_THREADS
    add_group_sum(square_d, scratch, squares);
    add_group_sum(square_p, scratch, squares + PARTS);
    add_group_sum(norm_d, scratch, changes);
    add_group_sum(norm_p, scratch, changes + PARTS);
}

// (1/α - T) times the direction, and the curvature along it.
KERNEL void apply_matrix(GLOBAL mm_long* RESTRICT forces, GLOBAL const real* RESTRICT polarizability,
                         GLOBAL const real4* RESTRICT gradient_d, GLOBAL const real4* RESTRICT gradient_p,
                         GLOBAL const real4* RESTRICT direction_d, GLOBAL const real4* RESTRICT direction_p,
                         GLOBAL real4* RESTRICT image_d, GLOBAL real4* RESTRICT image_p, GLOBAL coordinate* RESTRICT curvatures) {
    LOCAL coordinate scratch[64];
    coordinate curvature_d = 0, curvature_p = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real alpha = polarizability[atom];
        for (int set = 0; set < 2; ++set) {
            const real4 v = set == 0 ? direction_d[atom] : direction_p[atom];
            const real3 t = field_of_dipoles(forces, set, set == 0 ? gradient_d : gradient_p, v, atom);
            const real4 image = alpha > 0 ? make_real4(v.x/alpha - t.x, v.y/alpha - t.y, v.z/alpha - t.z, 0) : make_real4(0, 0, 0, 0);
            const coordinate curvature = (coordinate) v.x*image.x + (coordinate) v.y*image.y + (coordinate) v.z*image.z;
            if (set == 0) { image_d[atom] = image; curvature_d += curvature; }
            else { image_p[atom] = image; curvature_p += curvature; }
        }
        clear_sums(forces, FIRST_SUM, 6, atom);
    }
    if (LOCAL_ID == 0) { curvatures[GROUP_ID] = curvatures[PARTS + GROUP_ID] = 0; }
    SYNC_THREADS
    add_group_sum(curvature_d, scratch, curvatures);
    add_group_sum(curvature_p, scratch, curvatures + PARTS);
}

// All groups add the same numbers in the same order.
inline DEVICE coordinate total_of(GLOBAL const coordinate* RESTRICT parts, LOCAL_ARG coordinate* scratch) {
    coordinate sum = 0;
    for (int n = LOCAL_ID; n < PARTS; n += LOCAL_SIZE) sum += parts[n];
    scratch[LOCAL_ID] = sum;
    SYNC_THREADS
    for (int split = LOCAL_SIZE/2; split > 0; split /= 2) {
        if (LOCAL_ID < split) scratch[LOCAL_ID] += scratch[LOCAL_ID + split];
        SYNC_THREADS
    }
    const coordinate total = scratch[0];
    SYNC_THREADS
    return total;
}
// A set that is exactly converged stays as it is.
inline DEVICE real ratio(coordinate a, coordinate b) { return b != 0 ? (real) (a/b) : 0; }

KERNEL void advance(GLOBAL const real* RESTRICT polarizability, GLOBAL const coordinate* RESTRICT old_squares,
                    GLOBAL const coordinate* RESTRICT curvatures, GLOBAL const real4* RESTRICT direction_d,
                    GLOBAL const real4* RESTRICT direction_p, GLOBAL const real4* RESTRICT image_d, GLOBAL const real4* RESTRICT image_p,
                    GLOBAL real4* RESTRICT dipole_d, GLOBAL real4* RESTRICT dipole_p, GLOBAL real4* RESTRICT change_d,
                    GLOBAL real4* RESTRICT change_p, GLOBAL coordinate* RESTRICT squares, GLOBAL coordinate* RESTRICT changes,
                    GLOBAL coordinate* RESTRICT totals, coordinate limit) {
    LOCAL coordinate scratch[64];
    const bool is_converged = !(fmax(totals[0], totals[1]) >= limit);
    if (GLOBAL_ID == 0 && !is_converged) totals[2] += 1;
    const real length_d = ratio(total_of(old_squares, scratch), total_of(curvatures, scratch)),
               length_p = ratio(total_of(old_squares + PARTS, scratch), total_of(curvatures + PARTS, scratch));
    coordinate square_d = 0, square_p = 0, norm_d = 0, norm_p = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real alpha = polarizability[atom];
        for (int set = 0; set < 2; ++set) {
            const real length = is_converged ? 0 : set == 0 ? length_d : length_p, shorter = length*alpha;
            const real4 v = set == 0 ? direction_d[atom] : direction_p[atom], image = set == 0 ? image_d[atom] : image_p[atom];
            real4 dipole = set == 0 ? dipole_d[atom] : dipole_p[atom], change = set == 0 ? change_d[atom] : change_p[atom];
            dipole.x += v.x*length; dipole.y += v.y*length; dipole.z += v.z*length;
            change.x -= image.x*shorter; change.y -= image.y*shorter; change.z -= image.z*shorter;
            const coordinate norm = (coordinate) change.x*change.x + (coordinate) change.y*change.y + (coordinate) change.z*change.z;
            const coordinate square = alpha > 0 ? norm/alpha : 0;
            if (set == 0) { dipole_d[atom] = dipole; change_d[atom] = change; square_d += square; norm_d += norm; }
            else { dipole_p[atom] = dipole; change_p[atom] = change; square_p += square; norm_p += norm; }
        }
    }
    if (LOCAL_ID == 0) { squares[GROUP_ID] = squares[PARTS + GROUP_ID] = changes[GROUP_ID] = changes[PARTS + GROUP_ID] = 0; }
    SYNC_THREADS
    add_group_sum(square_d, scratch, squares);
    add_group_sum(square_p, scratch, squares + PARTS);
    add_group_sum(norm_d, scratch, changes);
    add_group_sum(norm_p, scratch, changes + PARTS);
}

KERNEL void redirect(GLOBAL const coordinate* RESTRICT old_squares, GLOBAL const coordinate* RESTRICT squares,
                     GLOBAL const real4* RESTRICT change_d, GLOBAL const real4* RESTRICT change_p,
                     GLOBAL real4* RESTRICT direction_d, GLOBAL real4* RESTRICT direction_p) {
    LOCAL coordinate scratch[64];
    const real share_d = ratio(total_of(squares, scratch), total_of(old_squares, scratch)),
               share_p = ratio(total_of(squares + PARTS, scratch), total_of(old_squares + PARTS, scratch));
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real4 d = direction_d[atom], p = direction_p[atom], c = change_d[atom], e = change_p[atom];
        direction_d[atom] = make_real4(c.x + share_d*d.x, c.y + share_d*d.y, c.z + share_d*d.z, 0);
        direction_p[atom] = make_real4(e.x + share_p*p.x, e.y + share_p*p.y, e.z + share_p*p.z, 0);
    }
}
KERNEL void find_changes(GLOBAL const coordinate* RESTRICT changes, GLOBAL coordinate* RESTRICT totals) {
    LOCAL coordinate scratch[64];
    const coordinate d = total_of(changes, scratch), p = total_of(changes + PARTS, scratch);
    if (LOCAL_ID == 0) { totals[0] = d; totals[1] = p; }
}
)";

/// Requires `sites`, and the functions of `MultipoleText::frames`. The mesh's potentials are those of permanent moments
/// and of the two sets of dipoles, 20 numbers each.
inline constexpr char const* forces = R"(
// The gradient by the position of moments (a, b, c) in a potential, of which `p` is the first number and `step` leads to the next.
inline DEVICE real3 moments_gradient(real4 a, real4 b, real4 c, const real* p) {
    return make_real3(
        a.x*p[1] + a.y*p[4] + a.z*p[5] + a.w*p[6] + b.x*p[10] + b.w*p[13] + c.y*p[15] + 2*(b.y*p[11] + b.z*p[12] + c.x*p[14]),
        a.x*p[2] + a.y*p[5] + a.z*p[7] + a.w*p[8] + b.x*p[11] + b.w*p[16] + c.y*p[18] + 2*(b.y*p[13] + b.z*p[14] + c.x*p[17]),
        a.x*p[3] + a.y*p[6] + a.z*p[8] + a.w*p[9] + b.x*p[12] + b.w*p[17] + c.y*p[19] + 2*(b.y*p[14] + b.z*p[15] + c.x*p[18]));
}
inline DEVICE real3 dipole_gradient(real4 d, const real* p) {
    return make_real3(d.x*p[4] + d.y*p[5] + d.z*p[6], d.x*p[5] + d.y*p[7] + d.z*p[8], d.x*p[6] + d.y*p[8] + d.z*p[9]);
}
inline DEVICE real moments_energy(real4 a, real4 b, real4 c, const real* p) {
    return a.x*p[0] + a.y*p[1] + a.z*p[2] + a.w*p[3] + b.x*p[4] + b.w*p[7] + c.y*p[9] + 2*(b.y*p[5] + b.z*p[6] + c.x*p[8]);
}
// Minus the derivative of the energy by a rotation of the moments.
inline DEVICE real3 moments_torque(real4 a, real4 b, real4 c, const real* p) {
    return make_real3(
        -(a.z*p[3] - a.w*p[2]) - 2*(b.y*p[6] + b.w*p[8] + c.x*p[9] - b.z*p[5] - c.x*p[7] - c.y*p[8]),
        -(a.w*p[1] - a.y*p[3]) - 2*(b.z*p[4] + c.x*p[5] + c.y*p[6] - b.x*p[6] - b.y*p[8] - b.z*p[9]),
        -(a.y*p[2] - a.z*p[1]) - 2*(b.x*p[5] + b.y*p[7] + b.z*p[8] - b.y*p[4] - b.w*p[5] - c.x*p[6]));
}
inline DEVICE real3 difference(GLOBAL const coordinate4* RESTRICT positions, int to, int from) {
    if (to < 0) return make_real3(0, 0, 0);
    const coordinate4 a = positions[to], b = positions[from];
    return make_real3((real) (a.x - b.x), (real) (a.y - b.y), (real) (a.z - b.z));
}
// Whether the site of this definition is the mirror image of the chiral center whose moments it has.
inline DEVICE bool is_mirrored(int4 definition, real3 z, real3 x, real3 y) {
    if (definition.x != 0 || definition.w < 0) return false;
    const real3 a = make_real3(z.x - y.x, z.y - y.y, z.z - y.z), b = make_real3(x.x - y.x, x.y - y.y, x.z - y.z);
    return -((a.y*b.z - a.z*b.y)*y.x + (a.z*b.x - a.x*b.z)*y.y + (a.x*b.y - a.y*b.x)*y.z) < 0;
}
KERNEL void find_moments(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const int4* RESTRICT definitions,
                         GLOBAL const real4* RESTRICT own_a, GLOBAL const real4* RESTRICT own_b, GLOBAL const real4* RESTRICT own_c,
                         GLOBAL real4* RESTRICT site_a, GLOBAL real4* RESTRICT site_b, GLOBAL real4* RESTRICT site_c) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const int4 definition = definitions[atom];
        const real3 z = difference(positions, definition.y, atom), x = difference(positions, definition.z, atom), y = difference(positions, definition.w, atom);
        real4 a = own_a[atom], b = own_b[atom], c = own_c[atom];
        if (is_mirrored(definition, z, x, y)) { a.z = -a.z; b.y = -b.y; c.x = -c.x; }
        turn_moments(definition.x, z, x, y, &a, &b, &c);
        site_a[atom] = a;
        site_b[atom] = b;
        site_c[atom] = c;
    }
}
// A torque on a site is forces on the particles of its frame.
inline DEVICE void add_force_and_torque(GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT positions,
                                        int4 definition, int atom, real3 force, real3 torque) {
    if (definition.x != NO_AXIS) {
        const real3 z = difference(positions, definition.y, atom), x = difference(positions, definition.z, atom), y = difference(positions, definition.w, atom);
        real3 on_z = make_real3(0, 0, 0), on_x = make_real3(0, 0, 0), on_y = make_real3(0, 0, 0);
        turn_frame(definition.x, z, x, y, torque, &on_z, &on_x, &on_y);
        force.x -= on_z.x + on_x.x + on_y.x; force.y -= on_z.y + on_x.y + on_y.y; force.z -= on_z.z + on_x.z + on_y.z;
        if (definition.y >= 0) add_force(forces, definition.y, on_z);
        if (definition.z >= 0) add_force(forces, definition.z, on_x);
        if (definition.w >= 0) add_force(forces, definition.w, on_y);
    }
    add_force(forces, atom, force);
}
// What of forces, torques and energies is not in the sums over pairs, and the forces of torques.
KERNEL void finish_multipoles(GLOBAL mm_long* RESTRICT sums, GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT positions,
                              GLOBAL const int4* RESTRICT definitions, GLOBAL const real4* RESTRICT site_a,
                              GLOBAL const real4* RESTRICT site_b, GLOBAL const real4* RESTRICT site_c,
                              GLOBAL const real* RESTRICT permanent, GLOBAL const real* RESTRICT induced,
                              GLOBAL const real4* RESTRICT dipole_d, GLOBAL const real4* RESTRICT dipole_p, GLOBAL const real4* RESTRICT field_d,
                              GLOBAL const real4* RESTRICT field_p, GLOBAL const real4* RESTRICT change_d,
                              GLOBAL const real4* RESTRICT change_p, GLOBAL const real* RESTRICT polarizability,
                              GLOBAL coordinate* RESTRICT energies, int slot, int with_energy) {
    LOCAL coordinate scratch[64];
    coordinate energy = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real4 a = site_a[atom], b = site_b[atom], c = site_c[atom], d = dipole_d[atom], p = dipole_p[atom], e = field_d[atom], f = field_p[atom];
        real3 force = sums_of(sums, FIRST_SUM, atom), torque = sums_of(sums, FIRST_SUM + 3, atom);
        coordinate own = -(coordinate) 0.25*((coordinate) d.x*f.x + (coordinate) d.y*f.y + (coordinate) d.z*f.z
                                             + (coordinate) p.x*e.x + (coordinate) p.y*e.y + (coordinate) p.z*e.z);
        // In first order of the residuals, as on the host.
        const real alpha = polarizability[atom];
        if (alpha > 0) {
            const real4 g = change_d[atom], h = change_p[atom];
            own -= (coordinate) 0.25*((coordinate) d.x*h.x + (coordinate) d.y*h.y + (coordinate) d.z*h.z
                                      + (coordinate) p.x*g.x + (coordinate) p.y*g.y + (coordinate) p.z*g.z)/alpha;
        }
#ifdef HAS_MESH
        const real4 mean = make_real4((d.x + p.x)/2, (d.y + p.y)/2, (d.z + p.z)/2, 0);
        real of_moments[20], of_d[20], of_p[20];
        for (int n = 0; n < 20; ++n) {
            of_moments[n] = permanent[n*PADDED_NUM_ATOMS + atom];
            of_d[n] = induced[n*PADDED_NUM_ATOMS + atom];
            of_p[n] = induced[(20 + n)*PADDED_NUM_ATOMS + atom];
        }
        own += (coordinate) 0.5*moments_energy(a, b, c, of_moments);
        real3 gradient = dipole_gradient(mean, of_moments);
#ifdef ARE_MUTUAL
        const real3 d_in_p = dipole_gradient(d, of_p), p_in_d = dipole_gradient(p, of_d);
        gradient.x += (d_in_p.x + p_in_d.x)/2; gradient.y += (d_in_p.y + p_in_d.y)/2; gradient.z += (d_in_p.z + p_in_d.z)/2;
#endif
        for (int n = 0; n < 20; ++n) of_moments[n] += (of_d[n] + of_p[n])/2;
        const real3 of_sites = moments_gradient(a, b, c, of_moments);
        of_moments[1] -= SELF_FIELD*mean.x; of_moments[2] -= SELF_FIELD*mean.y; of_moments[3] -= SELF_FIELD*mean.z;
        const real3 turn = moments_torque(a, b, c, of_moments);
        force.x -= COULOMB*(gradient.x + of_sites.x); force.y -= COULOMB*(gradient.y + of_sites.y); force.z -= COULOMB*(gradient.z + of_sites.z);
        torque.x += COULOMB*turn.x; torque.y += COULOMB*turn.y; torque.z += COULOMB*turn.z;
#endif
        energy += COULOMB*own;
        add_force_and_torque(forces, positions, definitions[atom], atom, force, torque);
        clear_sums(sums, FIRST_SUM, 9, atom);
    }
    if (with_energy) add_group_sum(energy, scratch, energies + slot*SUM_WIDTH);
}
)";

}  // namespace trotter::amoeba::kernels
