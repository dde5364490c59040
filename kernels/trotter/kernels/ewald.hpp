// A plain Ewald sum over wave vectors.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// `cell_fractions` are positions as integer fractions of the box, so that phases are exact to the last bit of a
/// fraction and wrap automatically. `waves` holds one of each pair of opposite wave vectors, `structure` 4 pi psi(m²)
/// S(m). Work-groups of 64.
inline constexpr char const* ewald = R"(
#ifdef REAL_IS_DOUBLE
typedef mm_ulong ewald_integer;
#define EWALD_STEPS 18446744073709551616.0
#define EWALD_ANGLE(n) ((mm_long) (n)*(real) 3.4061215800304133e-19)
#else
typedef uint ewald_integer;
#define EWALD_STEPS 4294967296.0f
#define EWALD_ANGLE(n) ((int) (n)*(real) 1.4629180792671596e-9f)
#endif

// Fractions from -1/2 up to 1/2; what rounding makes 1/2 is the same place as -1/2.
inline DEVICE ewald_integer ewald_fraction(coordinate fraction) {
    const coordinate nearest = fraction - floor(fraction + (coordinate) 0.5), steps = nearest*(coordinate) EWALD_STEPS;
    const ewald_integer end = (ewald_integer) 1 << (sizeof(ewald_integer)*8 - 1);
    return fabs(steps) < (coordinate) (EWALD_STEPS/2) ? (ewald_integer) (mm_long) steps : end;
}
inline DEVICE real2 ewald_wave(int4 k, GLOBAL const ewald_integer* RESTRICT cell_fractions, int atom) {
    const ewald_integer phase = (ewald_integer) k.x*cell_fractions[atom] + (ewald_integer) k.y*cell_fractions[atom + PADDED_NUM_ATOMS]
                                + (ewald_integer) k.z*cell_fractions[atom + 2*PADDED_NUM_ATOMS];
    const real angle = EWALD_ANGLE(phase);
    return make_real2(cos(angle), sin(angle));
}

KERNEL void ewald_fractions(GLOBAL ewald_integer* RESTRICT cell_fractions, GLOBAL const coordinate4* RESTRICT positions,
                         GLOBAL const coordinate4* RESTRICT box) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const coordinate3 s = fractions(positions[atom], box);
        cell_fractions[atom] = ewald_fraction(s.x);
        cell_fractions[atom + PADDED_NUM_ATOMS] = ewald_fraction(s.y);
        cell_fractions[atom + 2*PADDED_NUM_ATOMS] = ewald_fraction(s.z);
    }
}

KERNEL void ewald_structure(GLOBAL real2* RESTRICT structure, GLOBAL const ewald_integer* RESTRICT cell_fractions,
                            GLOBAL const real* RESTRICT charges, GLOBAL const int4* RESTRICT waves, int count,
                            GLOBAL const coordinate4* RESTRICT box, GLOBAL coordinate* RESTRICT sums, int slot, int with_energy) {
    LOCAL coordinate cosines[64], sines[64];
    const real volume = box_volume(box);
    coordinate energy = 0;
    for (int wave = GROUP_ID; wave < count; wave += NUM_GROUPS) {
        const int4 k = waves[wave];
        coordinate cosine = 0, sine = 0;
        for (int atom = LOCAL_ID; atom < NUM_ATOMS; atom += LOCAL_SIZE) {
            const real2 one = ewald_wave(k, cell_fractions, atom);
            cosine += charges[atom]*one.x;
            sine += charges[atom]*one.y;
        }
        cosines[LOCAL_ID] = cosine;
        sines[LOCAL_ID] = sine;
        SYNC_THREADS
        for (int split = LOCAL_SIZE/2; split > 0; split /= 2) {
            if (LOCAL_ID < split) {
                cosines[LOCAL_ID] += cosines[LOCAL_ID + split];
                sines[LOCAL_ID] += sines[LOCAL_ID + split];
            }
            SYNC_THREADS
        }
        if (LOCAL_ID == 0) {
            const real3 m = reciprocal(make_real3((real) k.x, (real) k.y, (real) k.z), box);
            const real psi = influence(m.x*m.x + m.y*m.y + m.z*m.z, volume);
            energy += psi*(cosines[0]*cosines[0] + sines[0]*sines[0]);
            const real factor = psi*(real) 12.566370614359173;
            structure[wave] = make_real2((real) cosines[0]*factor, (real) sines[0]*factor);
        }
        SYNC_THREADS
    }
    if (with_energy) add_group_sum(energy, cosines, sums + slot*SUM_WIDTH);
}

// One group for each particle at a time: F = q Σ m 4 pi psi Im(S* exp(2 pi i m·x)).
KERNEL void ewald_forces(GLOBAL const real2* RESTRICT structure, GLOBAL const ewald_integer* RESTRICT cell_fractions,
                         GLOBAL const real* RESTRICT charges, GLOBAL const int4* RESTRICT waves, int count,
                         GLOBAL const coordinate4* RESTRICT box, GLOBAL mm_ulong* RESTRICT forces) {
    LOCAL real parts_x[64], parts_y[64], parts_z[64];
    for (int atom = GROUP_ID; atom < NUM_ATOMS; atom += NUM_GROUPS) {
        real x = 0, y = 0, z = 0;
        for (int wave = LOCAL_ID; wave < count; wave += LOCAL_SIZE) {
            const int4 k = waves[wave];
            const real2 one = ewald_wave(k, cell_fractions, atom), s = structure[wave];
            const real part = s.x*one.y - s.y*one.x;
            x += k.x*part;
            y += k.y*part;
            z += k.z*part;
        }
        parts_x[LOCAL_ID] = x;
        parts_y[LOCAL_ID] = y;
        parts_z[LOCAL_ID] = z;
        SYNC_THREADS
        for (int split = LOCAL_SIZE/2; split > 0; split /= 2) {
            if (LOCAL_ID < split) {
                parts_x[LOCAL_ID] += parts_x[LOCAL_ID + split];
                parts_y[LOCAL_ID] += parts_y[LOCAL_ID + split];
                parts_z[LOCAL_ID] += parts_z[LOCAL_ID + split];
            }
            SYNC_THREADS
        }
        if (LOCAL_ID == 0) {
            const real3 f = reciprocal(make_real3(parts_x[0], parts_y[0], parts_z[0]), box);
            add_force(forces, atom, make_real3(f.x*charges[atom], f.y*charges[atom], f.z*charges[atom]));
        }
        SYNC_THREADS
    }
}
)";

}  // namespace trotter::kernels
