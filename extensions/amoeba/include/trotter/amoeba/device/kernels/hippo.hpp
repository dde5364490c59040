// Source of the kernels of HIPPO: induced dipoles by extrapolation, and forces.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::amoeba::kernels {

/// Requires `sites` and `forces`, and a function combine_orders(dipoles, atom) that returns the sum over orders of a
/// particle's dipoles and stores the partners. Sums 0 to 2 are fields; at the end 0 to 2 are forces and 3 to 5 torques.
/// SELF_FIELD is the field of a dipole's own part on the mesh, per dipole; MESH_ORDERS counts the orders whose dipoles
/// induce others. `on_mesh` has a particle's dipole behind the charge 0, as `site_a`; `derivatives` are 20 numbers for
/// each particle (see `sites`), `seconds` the six second ones of each order.
inline constexpr char const* hippo = R"(
#define DERIVATIVE(n) ((n)*PADDED_NUM_ATOMS + atom)
// The field at a particle: sums over pairs, the mesh, and what it holds of the particle's dipole itself.
inline DEVICE real3 total_field(GLOBAL mm_long* RESTRICT sums, GLOBAL const real* RESTRICT derivatives, real3 dipole, int atom) {
    real3 field = sums_of(sums, FIRST_SUM, atom);
#ifdef HAS_MESH
    field.x += SELF_FIELD*dipole.x - derivatives[DERIVATIVE(1)];
    field.y += SELF_FIELD*dipole.y - derivatives[DERIVATIVE(2)];
    field.z += SELF_FIELD*dipole.z - derivatives[DERIVATIVE(3)];
#endif
    clear_sums(sums, FIRST_SUM, 3, atom);
    return field;
}
inline DEVICE void set_dipole(GLOBAL real4* RESTRICT dipoles, GLOBAL real4* RESTRICT on_mesh, int order, int atom, real3 field, real alpha) {
    const real3 dipole = make_real3(alpha*field.x, alpha*field.y, alpha*field.z);
    dipoles[order*PADDED_NUM_ATOMS + atom] = make_real4(dipole.x, dipole.y, dipole.z, 0);
    on_mesh[atom] = make_real4(0, dipole.x, dipole.y, dipole.z);
}
// The field of permanent moments, and the dipoles of order 0.
KERNEL void induce_first(GLOBAL mm_long* RESTRICT sums, GLOBAL const real4* RESTRICT site_a, GLOBAL const real* RESTRICT derivatives,
                         GLOBAL const real* RESTRICT polarizability, GLOBAL real4* RESTRICT fields, GLOBAL real4* RESTRICT dipoles,
                         GLOBAL real4* RESTRICT on_mesh) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real4 a = site_a[atom];
        const real3 field = total_field(sums, derivatives, make_real3(a.y, a.z, a.w), atom);
        fields[atom] = make_real4(field.x, field.y, field.z, 0);
        set_dipole(dipoles, on_mesh, 0, atom, field, polarizability[atom]);
    }
}
// The dipoles that those of an order induce.
KERNEL void induce_next(GLOBAL mm_long* RESTRICT sums, GLOBAL const real* RESTRICT derivatives, GLOBAL const real* RESTRICT polarizability,
                        GLOBAL real4* RESTRICT dipoles, GLOBAL real4* RESTRICT on_mesh, GLOBAL real* RESTRICT seconds, int order) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real3 field = total_field(sums, derivatives, xyz(dipoles[order*PADDED_NUM_ATOMS + atom]), atom);
#ifdef HAS_MESH
        for (int n = 0; n < 6; ++n) seconds[DERIVATIVE(6*order + n)] = derivatives[DERIVATIVE(4 + n)];
#endif
        set_dipole(dipoles, on_mesh, order + 1, atom, field, polarizability[atom]);
    }
}
KERNEL void add_orders(GLOBAL real4* RESTRICT dipoles, GLOBAL real4* RESTRICT induced, GLOBAL real4* RESTRICT on_mesh) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real4 total = combine_orders(dipoles, atom);
        induced[atom] = total;
        on_mesh[atom] = make_real4(0, total.x, total.y, total.z);
    }
}
// What of forces, torques and energies is not in the sums over pairs, and the forces of torques.
KERNEL void finish_hippo(GLOBAL mm_long* RESTRICT sums, GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT positions,
                         GLOBAL const int4* RESTRICT definitions, GLOBAL const real4* RESTRICT site_a,
                         GLOBAL const real4* RESTRICT site_b, GLOBAL const real4* RESTRICT site_c,
                         GLOBAL const real* RESTRICT permanent, GLOBAL const real* RESTRICT derivatives, GLOBAL const real* RESTRICT seconds,
                         GLOBAL const real4* RESTRICT fields, GLOBAL const real4* RESTRICT induced, GLOBAL const real4* RESTRICT dipoles,
                         GLOBAL coordinate* RESTRICT energies, int slot, int with_energy) {
    LOCAL coordinate scratch[64];
    coordinate energy = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real4 e = fields[atom], d = induced[atom];
        real3 force = sums_of(sums, FIRST_SUM, atom), torque = sums_of(sums, FIRST_SUM + 3, atom);
        coordinate own = -(coordinate) 0.5*((coordinate) d.x*e.x + (coordinate) d.y*e.y + (coordinate) d.z*e.z);
#ifdef HAS_MESH
        const real4 a = site_a[atom], b = site_b[atom], c = site_c[atom];
        real p[20];
        for (int n = 0; n < 20; ++n) p[n] = permanent[DERIVATIVE(n)];
        own += (coordinate) 0.5*moments_energy(a, b, c, p);
        real3 gradient = dipole_gradient(d, p);
        for (int order = 0; order < MESH_ORDERS; ++order) {
            const real4 partner = dipoles[(MESH_ORDERS + 1 + order)*PADDED_NUM_ATOMS + atom];
            real q[10];
            for (int n = 0; n < 6; ++n) q[4 + n] = seconds[DERIVATIVE(6*order + n)];
            const real3 of_order = dipole_gradient(partner, q);
            gradient.x += of_order.x; gradient.y += of_order.y; gradient.z += of_order.z;
        }
        for (int n = 0; n < 20; ++n) p[n] += derivatives[DERIVATIVE(n)];
        const real3 of_sites = moments_gradient(a, b, c, p);
        p[1] -= SELF_FIELD*d.x; p[2] -= SELF_FIELD*d.y; p[3] -= SELF_FIELD*d.z;
        const real3 turn = moments_torque(a, b, c, p);
        force.x -= COULOMB*(gradient.x + of_sites.x); force.y -= COULOMB*(gradient.y + of_sites.y); force.z -= COULOMB*(gradient.z + of_sites.z);
        torque.x += COULOMB*turn.x; torque.y += COULOMB*turn.y; torque.z += COULOMB*turn.z;
#endif
        energy += COULOMB*own;
        add_force_and_torque(forces, positions, definitions[atom], atom, force, torque);
        clear_sums(sums, FIRST_SUM, 6, atom);
    }
    if (with_energy) add_group_sum(energy, scratch, energies + slot*SUM_WIDTH);
}
)";

}  // namespace trotter::amoeba::kernels
