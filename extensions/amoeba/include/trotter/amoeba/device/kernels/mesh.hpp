// Source of the kernels that spread multipoles on a mesh, and gather their potential.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::amoeba::kernels {

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

}  // namespace trotter::amoeba::kernels
