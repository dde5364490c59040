// Source of the kernels that solve for induced dipoles by conjugate gradients.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::amoeba::kernels {

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

}  // namespace trotter::amoeba::kernels
