// Source of the kernels of moments in space, and of forces and torques on multipoles.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::amoeba::kernels {

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
