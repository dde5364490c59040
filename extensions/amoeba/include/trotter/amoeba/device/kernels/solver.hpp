// Source of the kernels that solve for induced dipoles by conjugate gradients.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::amoeba::kernels {

/// Requires `sites`. Sums 0 to 2 are the field e of permanent moments, 3 to 5 and 6 to 8 the fields d and p of special
/// pairs; then 0 to 5 are the fields of the two sets of dipoles, and at the end 0 to 2 forces and 3 to 5 torques.
/// SELF_FIELD is the field of a dipole's own part on the mesh, per dipole, 0 without a mesh. Partial sums of products
/// have PARTS numbers for each of the two sets.
inline constexpr char const* solver = R"(
// The fields of permanent moments, and the first guess of the dipoles: those that these fields induce, and a correction
// extrapolated from `terms` corrections in the history, the newest first.
KERNEL void induce(GLOBAL mm_long* RESTRICT forces, GLOBAL const real4* RESTRICT site_a, GLOBAL const real* RESTRICT derivatives,
                   GLOBAL const real* RESTRICT polarizability, GLOBAL real4* RESTRICT field_d, GLOBAL real4* RESTRICT field_p,
                   GLOBAL real4* RESTRICT dipole_d, GLOBAL real4* RESTRICT dipole_p, GLOBAL const real4* RESTRICT history,
                   GLOBAL const coordinate* RESTRICT shares, int terms, int newest) {
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
        real4 guess_d = make_real4(alpha*of_d.x, alpha*of_d.y, alpha*of_d.z, 0), guess_p = make_real4(alpha*of_p.x, alpha*of_p.y, alpha*of_p.z, 0);
        for (int age = 0; age < terms; ++age) {
            const int entry = 2*((newest - age + REMEMBERED) % REMEMBERED);
            const real4 past_d = history[entry*PADDED_NUM_ATOMS + atom], past_p = history[(entry + 1)*PADDED_NUM_ATOMS + atom];
            const real share = (real) shares[age];
            guess_d.x += share*past_d.x; guess_d.y += share*past_d.y; guess_d.z += share*past_d.z;
            guess_p.x += share*past_p.x; guess_p.y += share*past_p.y; guess_p.z += share*past_p.z;
        }
        dipole_d[atom] = guess_d;
        dipole_p[atom] = guess_p;
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

// Conjugate gradients with one synchronization an iteration (Chronopoulos, Gear 1989, 10.1016/0377-0427(89)90045-9) for
// (1/α - T) μ = E, preconditioned by α. The change α(E + T μ) - μ is the preconditioned residual. Each group's partial
// sums are Σ change²/α, Σ change², and the changes' curvatures. Of `totals`, element ITERATIONS is their number.
#define SQUARES 0
#define NORMS (2*PARTS)
#define CURVATURES (4*PARTS)
#define ITERATIONS 2
inline DEVICE void set_parts(coordinate d, coordinate p, LOCAL_ARG coordinate* scratch, GLOBAL coordinate* RESTRICT products) {
    if (LOCAL_ID == 0) products[GROUP_ID] = products[PARTS + GROUP_ID] = 0;
    SYNC_THREADS
    add_group_sum(d, scratch, products);
    add_group_sum(p, scratch, products + PARTS);
}

KERNEL void first_change(GLOBAL mm_long* RESTRICT forces, GLOBAL const real* RESTRICT polarizability,
                         GLOBAL const real4* RESTRICT field_d, GLOBAL const real4* RESTRICT field_p,
                         GLOBAL const real4* RESTRICT gradient_d, GLOBAL const real4* RESTRICT gradient_p,
                         GLOBAL const real4* RESTRICT dipole_d, GLOBAL const real4* RESTRICT dipole_p,
                         GLOBAL real4* RESTRICT change_d, GLOBAL real4* RESTRICT change_p,
                         GLOBAL coordinate* RESTRICT products, GLOBAL coordinate* RESTRICT totals) {
    LOCAL coordinate scratch[64];
    if (GLOBAL_ID == 0) totals[ITERATIONS] = 0;
    coordinate square_d = 0, square_p = 0, norm_d = 0, norm_p = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real alpha = polarizability[atom];
        for (int set = 0; set < 2; ++set) {
            const real4 dipole = set == 0 ? dipole_d[atom] : dipole_p[atom], e = set == 0 ? field_d[atom] : field_p[atom];
            const real3 t = field_of_dipoles(forces, set, set == 0 ? gradient_d : gradient_p, dipole, atom);
            const real4 change = make_real4(alpha*(e.x + t.x) - dipole.x, alpha*(e.y + t.y) - dipole.y, alpha*(e.z + t.z) - dipole.z, 0);
            const coordinate norm = (coordinate) change.x*change.x + (coordinate) change.y*change.y + (coordinate) change.z*change.z;
            const coordinate square = alpha > 0 ? norm/alpha : 0;
            if (set == 0) { change_d[atom] = change; square_d += square; norm_d += norm; }
            else { change_p[atom] = change; square_p += square; norm_p += norm; }
        }
        clear_sums(forces, FIRST_SUM, 6, atom);
    }
    set_parts(square_d, square_p, scratch, products + SQUARES);
    set_parts(norm_d, norm_p, scratch, products + NORMS);
}

// (1/α - T) times the change.
KERNEL void apply_matrix(GLOBAL mm_long* RESTRICT forces, GLOBAL const real* RESTRICT polarizability,
                         GLOBAL const real4* RESTRICT gradient_d, GLOBAL const real4* RESTRICT gradient_p,
                         GLOBAL const real4* RESTRICT change_d, GLOBAL const real4* RESTRICT change_p,
                         GLOBAL real4* RESTRICT image_d, GLOBAL real4* RESTRICT image_p, GLOBAL coordinate* RESTRICT products) {
    LOCAL coordinate scratch[64];
    coordinate curvature_d = 0, curvature_p = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real alpha = polarizability[atom];
        for (int set = 0; set < 2; ++set) {
            const real4 v = set == 0 ? change_d[atom] : change_p[atom];
            const real3 t = field_of_dipoles(forces, set, set == 0 ? gradient_d : gradient_p, v, atom);
            const real4 image = alpha > 0 ? make_real4(v.x/alpha - t.x, v.y/alpha - t.y, v.z/alpha - t.z, 0) : make_real4(0, 0, 0, 0);
            const coordinate curvature = (coordinate) v.x*image.x + (coordinate) v.y*image.y + (coordinate) v.z*image.z;
            if (set == 0) { image_d[atom] = image; curvature_d += curvature; }
            else { image_p[atom] = image; curvature_p += curvature; }
        }
        clear_sums(forces, FIRST_SUM, 6, atom);
    }
    set_parts(curvature_d, curvature_p, scratch, products + CURVATURES);
}

// One group adds the parts of `count` sums, always in the same order.
inline DEVICE void add_parts(GLOBAL const coordinate* RESTRICT products, int count, LOCAL_ARG coordinate* scratch, LOCAL_ARG coordinate* sums) {
    const int lanes = LOCAL_SIZE/count, number = LOCAL_ID/lanes;
    coordinate sum = 0;
    if (number < count)
        for (int n = LOCAL_ID - number*lanes; n < PARTS; n += lanes) sum += products[number*PARTS + n];
    scratch[LOCAL_ID] = sum;
    SYNC_THREADS
    if (LOCAL_ID < count) {
        coordinate total = 0;
        for (int n = 0; n < lanes; ++n) total += scratch[LOCAL_ID*lanes + n];
        sums[LOCAL_ID] = total;
    }
    SYNC_THREADS
}
// A set that is exactly converged stays as it is.
inline DEVICE coordinate ratio(coordinate a, coordinate b) { return b != 0 ? a/b : 0; }

// Groups of up to 256. In `totals`: Σ change² of the two sets, the number of iterations, and for each set the last square, the last step
// length, and the share of the last direction in the new one. After convergence steps have no length.
KERNEL void find_lengths(GLOBAL const coordinate* RESTRICT products, GLOBAL coordinate* RESTRICT totals, coordinate limit) {
    LOCAL coordinate scratch[256], sums[6];
    add_parts(products, 6, scratch, sums);
    if (LOCAL_ID != 0) return;
    totals[0] = sums[2];
    totals[1] = sums[3];
    const bool is_converged = !(fmax(sums[2], sums[3]) >= limit), is_first = totals[ITERATIONS] == 0;
    for (int set = 0; set < 2; ++set) {
        GLOBAL coordinate* RESTRICT of_set = totals + ITERATIONS + 1 + 3*set;
        const coordinate share = is_first ? 0 : ratio(sums[set], of_set[0]),
                         bend = is_first ? 0 : ratio(share*sums[set], of_set[1]);
        if (!is_converged) of_set[0] = sums[set];
        of_set[1] = is_converged ? 0 : ratio(sums[set], sums[4 + set] - bend);
        of_set[2] = share;
    }
    if (!is_converged) totals[ITERATIONS] += 1;
}

KERNEL void advance(GLOBAL const real* RESTRICT polarizability, GLOBAL const coordinate* RESTRICT totals,
                    GLOBAL const real4* RESTRICT image_d, GLOBAL const real4* RESTRICT image_p,
                    GLOBAL real4* RESTRICT direction_d, GLOBAL real4* RESTRICT direction_p,
                    GLOBAL real4* RESTRICT of_direction_d, GLOBAL real4* RESTRICT of_direction_p,
                    GLOBAL real4* RESTRICT dipole_d, GLOBAL real4* RESTRICT dipole_p, GLOBAL real4* RESTRICT change_d,
                    GLOBAL real4* RESTRICT change_p, GLOBAL coordinate* RESTRICT products) {
    LOCAL coordinate scratch[64];
    coordinate square_d = 0, square_p = 0, norm_d = 0, norm_p = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real alpha = polarizability[atom];
        for (int set = 0; set < 2; ++set) {
            const real length = (real) totals[ITERATIONS + 2 + 3*set], share = (real) totals[ITERATIONS + 3 + 3*set], shorter = length*alpha;
            const real4 image = set == 0 ? image_d[atom] : image_p[atom];
            real4 change = set == 0 ? change_d[atom] : change_p[atom], dipole = set == 0 ? dipole_d[atom] : dipole_p[atom];
            real4 v = make_real4(0, 0, 0, 0), a = v;
            if (share != 0) {
                v = set == 0 ? direction_d[atom] : direction_p[atom];
                a = set == 0 ? of_direction_d[atom] : of_direction_p[atom];
            }
            v = make_real4(change.x + share*v.x, change.y + share*v.y, change.z + share*v.z, 0);
            a = make_real4(image.x + share*a.x, image.y + share*a.y, image.z + share*a.z, 0);
            dipole.x += v.x*length; dipole.y += v.y*length; dipole.z += v.z*length;
            change.x -= a.x*shorter; change.y -= a.y*shorter; change.z -= a.z*shorter;
            const coordinate norm = (coordinate) change.x*change.x + (coordinate) change.y*change.y + (coordinate) change.z*change.z;
            const coordinate square = alpha > 0 ? norm/alpha : 0;
            if (set == 0) { direction_d[atom] = v; of_direction_d[atom] = a; dipole_d[atom] = dipole; change_d[atom] = change; square_d += square; norm_d += norm; }
            else { direction_p[atom] = v; of_direction_p[atom] = a; dipole_p[atom] = dipole; change_p[atom] = change; square_p += square; norm_p += norm; }
        }
    }
    set_parts(square_d, square_p, scratch, products + SQUARES);
    set_parts(norm_d, norm_p, scratch, products + NORMS);
}
KERNEL void find_changes(GLOBAL const coordinate* RESTRICT products, GLOBAL coordinate* RESTRICT totals) {
    LOCAL coordinate scratch[256], sums[2];
    add_parts(products + NORMS, 2, scratch, sums);
    if (LOCAL_ID < 2) totals[LOCAL_ID] = sums[LOCAL_ID];
}
)";

/// Requires `solver`. The history has, for each of REMEMBERED evaluations, what mutual induction adds to the dipoles of
/// the two sets that the fields of permanent moments induce.
inline constexpr char const* history = R"(
// Products of evaluation i with j ≥ i, counted from the newest; not of the newest with itself.
#define PRODUCTS (REMEMBERED*(REMEMBERED + 1)/2 - 1)
#define PRODUCT(i, j) ((i)*REMEMBERED - (i)*((i) - 1)/2 + (j) - (i) - 1)

// Adds the last evaluation to the history, if it is to `remember` it, and multiplies the vectors of all sites.
KERNEL void remember_dipoles(GLOBAL const real* RESTRICT polarizability, GLOBAL const real4* RESTRICT field_d,
                             GLOBAL const real4* RESTRICT field_p, GLOBAL const real4* RESTRICT dipole_d,
                             GLOBAL const real4* RESTRICT dipole_p, GLOBAL real4* RESTRICT history,
                             GLOBAL coordinate* RESTRICT products, int remember, int newest) {
    LOCAL coordinate scratch[64];
    coordinate sums[PRODUCTS];
    for (int n = 0; n < PRODUCTS; ++n) sums[n] = 0;
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const real alpha = polarizability[atom];
        for (int set = 0; set < 2; ++set) {
            if (remember) {
                const real4 e = set == 0 ? field_d[atom] : field_p[atom], v = set == 0 ? dipole_d[atom] : dipole_p[atom];
                history[(2*newest + set)*PADDED_NUM_ATOMS + atom] = make_real4(v.x - alpha*e.x, v.y - alpha*e.y, v.z - alpha*e.z, 0);
            }
            real4 past[REMEMBERED];
            for (int age = 0; age < REMEMBERED; ++age)
                past[age] = history[(2*((newest - age + REMEMBERED) % REMEMBERED) + set)*PADDED_NUM_ATOMS + atom];
            for (int i = 0; i < REMEMBERED; ++i) {
                for (int j = i == 0 ? 1 : i; j < REMEMBERED; ++j)
                    sums[PRODUCT(i, j)] += past[i].x*past[j].x + past[i].y*past[j].y + past[i].z*past[j].z;
            }
        }
    }
    if (LOCAL_ID == 0)
        for (int n = 0; n < PRODUCTS; ++n) products[n*PARTS + GROUP_ID] = 0;
    SYNC_THREADS
    for (int n = 0; n < PRODUCTS; ++n) add_group_sum(sums[n], scratch, products + n*PARTS);
}
// The shares of `terms` evaluations of which those before the newest would have given the newest, in least squares.
KERNEL void find_shares(GLOBAL const coordinate* RESTRICT products, GLOBAL coordinate* RESTRICT shares, int terms) {
    LOCAL coordinate scratch[256], sums[PRODUCTS];
    add_parts(products, PRODUCTS, scratch, sums);
    if (LOCAL_ID != 0) return;
    coordinate m[REMEMBERED][REMEMBERED], x[REMEMBERED];
    for (int i = 0; i < terms; ++i) {
        x[i] = sums[PRODUCT(0, i + 1)];
        for (int j = i; j < terms; ++j) m[i][j] = m[j][i] = sums[PRODUCT(i + 1, j + 1)];
        m[i][i] *= (coordinate) 1.000001;  // evaluations may be equal
    }
    for (int i = 0; i < terms; ++i)
        for (int k = i + 1; k < terms; ++k) {
            const coordinate factor = ratio(m[k][i], m[i][i]);
            for (int j = i; j < terms; ++j) m[k][j] -= factor*m[i][j];
            x[k] -= factor*x[i];
        }
    for (int i = terms - 1; i >= 0; --i) {
        for (int j = i + 1; j < terms; ++j) x[i] -= m[i][j]*x[j];
        x[i] = ratio(x[i], m[i][i]);
        shares[i] = x[i];
    }
}
)";

}  // namespace trotter::amoeba::kernels
