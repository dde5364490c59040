// Kernels of a step of a ring polymer, in the dialect of kernels/.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace trotter::rpmd {

/// Numbers of each mode in `numbers`: see `ModeMotion`. Half the step size follows those of the last mode.
inline constexpr std::size_t numbers_of_mode = 5;

/// Modes are stored as x, y, z of particle i in mode k at 3 (k COPY_ATOMS + i). Work-groups of 64 have all copies of
/// RING_ATOMS particles in local memory.
inline constexpr char const* ring_kernels = R"(
#define COPY_ATOMS (NUM_ATOMS/COPIES)
#define RING_ITEMS (COPIES*RING_ATOMS)

inline DEVICE coordinate3 stored_vector(GLOBAL const coordinate* vectors, int n) {
    return make_coordinate3(vectors[3*n], vectors[3*n + 1], vectors[3*n + 2]);
}
inline DEVICE void store_vector(GLOBAL coordinate* vectors, int n, coordinate3 value) {
    vectors[3*n] = value.x;
    vectors[3*n + 1] = value.y;
    vectors[3*n + 2] = value.z;
}
// Half a step of Langevin dynamics.
inline DEVICE coordinate3 with_noise(coordinate3 v, GLOBAL const coordinate* numbers, coordinate inverse_mass,
                                     mm_ulong draw, int n, mm_ulong seed, uint stream) {
    if (numbers[1] == 0 && numbers[0] == 1) return v;
    const real3 normal = normals(seed, stream, draw, (uint) n);
    const coordinate spread = numbers[1]*sqrt(inverse_mass);
    return v*numbers[0] + make_coordinate3(spread*normal.x, spread*normal.y, spread*normal.z);
}

// Noise, kick, motion of the free ring; then the positions of copies.
KERNEL void begin_ring(GLOBAL coordinate4* RESTRICT atoms, GLOBAL coordinate* RESTRICT positions,
                       GLOBAL coordinate* RESTRICT velocities, GLOBAL const coordinate* RESTRICT forces,
                       GLOBAL const coordinate* RESTRICT numbers,
                       GLOBAL const coordinate* RESTRICT matrix, GLOBAL const coordinate* RESTRICT inverse_masses,
                       GLOBAL const mm_ulong* RESTRICT counter, mm_ulong seed, uint stream) {
    LOCAL coordinate x[RING_ITEMS], y[RING_ITEMS], z[RING_ITEMS];
    const coordinate half_step = numbers[NUMBERS*COPIES];
    for (int first = RING_ATOMS*GROUP_ID; first < COPY_ATOMS; first += RING_ATOMS*NUM_GROUPS) {
        for (int item = LOCAL_ID; item < RING_ITEMS; item += 64) {
            const int mode = item/RING_ATOMS, i = first + item%RING_ATOMS;
            const coordinate inverse_mass = i < COPY_ATOMS ? inverse_masses[i] : 0;
            if (inverse_mass == 0) continue;
            const int n = mode*COPY_ATOMS + i;
            GLOBAL const coordinate* own = numbers + NUMBERS*mode;
            coordinate3 v = with_noise(stored_vector(velocities, n), own, inverse_mass, counter[0], n, seed, stream);
            v += stored_vector(forces, n)*(half_step*inverse_mass);
            const coordinate3 q = stored_vector(positions, n), moved = q*own[2] + v*own[3];
            store_vector(positions, n, moved);
            store_vector(velocities, n, v*own[2] - q*own[4]);
            x[item] = moved.x;
            y[item] = moved.y;
            z[item] = moved.z;
        }
        SYNC_THREADS
        for (int item = LOCAL_ID; item < RING_ITEMS; item += 64) {
            const int copy = item/RING_ATOMS, p = item%RING_ATOMS, i = first + p;
            if (i >= COPY_ATOMS || inverse_masses[i] == 0) continue;
            coordinate3 sum = make_coordinate3(0, 0, 0);
            for (int mode = 0; mode < COPIES; ++mode) {
                const int at = mode*RING_ATOMS + p;
                sum += make_coordinate3(x[at], y[at], z[at])*matrix[mode*COPIES + copy];
            }
            atoms[copy*COPY_ATOMS + i] = make_coordinate4(sum.x, sum.y, sum.z, 0);
        }
        SYNC_THREADS
    }
}

// Forces by mode, kick, noise. Clears the sums of forces.
KERNEL void end_ring(GLOBAL mm_long* RESTRICT sums, GLOBAL coordinate* RESTRICT velocities,
                     GLOBAL coordinate* RESTRICT forces, GLOBAL const coordinate* RESTRICT numbers,
                     GLOBAL const coordinate* RESTRICT matrix, GLOBAL const coordinate* RESTRICT inverse_masses,
                     GLOBAL const mm_ulong* RESTRICT counter, mm_ulong seed, uint stream,
                     GLOBAL int* RESTRICT failures) {
    LOCAL coordinate x[RING_ITEMS], y[RING_ITEMS], z[RING_ITEMS];
    const coordinate half_step = numbers[NUMBERS*COPIES];
    if (GLOBAL_ID == 0 && sums[3*PADDED_NUM_ATOMS] != 0) failures[0] = (int) sums[3*PADDED_NUM_ATOMS];
    for (int first = RING_ATOMS*GROUP_ID; first < COPY_ATOMS; first += RING_ATOMS*NUM_GROUPS) {
        for (int item = LOCAL_ID; item < RING_ITEMS; item += 64) {
            const int i = first + item%RING_ATOMS;
            if (i >= COPY_ATOMS) continue;
            const int atom = item/RING_ATOMS*COPY_ATOMS + i;
            const coordinate3 force = force_on(sums, atom);
            clear_force(sums, atom);
            x[item] = force.x;
            y[item] = force.y;
            z[item] = force.z;
        }
        SYNC_THREADS
        for (int item = LOCAL_ID; item < RING_ITEMS; item += 64) {
            const int mode = item/RING_ATOMS, p = item%RING_ATOMS, i = first + p;
            const coordinate inverse_mass = i < COPY_ATOMS ? inverse_masses[i] : 0;
            if (inverse_mass == 0) continue;
            coordinate3 sum = make_coordinate3(0, 0, 0);
            for (int copy = 0; copy < COPIES; ++copy) {
                const int at = copy*RING_ATOMS + p;
                sum += make_coordinate3(x[at], y[at], z[at])*matrix[mode*COPIES + copy];
            }
            const int n = mode*COPY_ATOMS + i;
            store_vector(forces, n, sum);
            GLOBAL const coordinate* own = numbers + NUMBERS*mode;
            const coordinate3 v = stored_vector(velocities, n) + sum*(half_step*inverse_mass);
            store_vector(velocities, n, with_noise(v, own, inverse_mass, counter[0] + 1, n, seed, stream));
        }
        SYNC_THREADS
    }
}

// Stops the center of mass; one work-group for each mode.
KERNEL void stop_ring(GLOBAL coordinate* RESTRICT velocities, GLOBAL const coordinate* RESTRICT inverse_masses) {
    LOCAL coordinate x[64], y[64], z[64], mass[64];
    coordinate3 momentum = make_coordinate3(0, 0, 0);
    coordinate total = 0;
    for (int i = LOCAL_ID; i < COPY_ATOMS; i += 64) {
        if (inverse_masses[i] == 0) continue;
        momentum += stored_vector(velocities, GROUP_ID*COPY_ATOMS + i)*(1/inverse_masses[i]);
        total += 1/inverse_masses[i];
    }
    x[LOCAL_ID] = momentum.x;
    y[LOCAL_ID] = momentum.y;
    z[LOCAL_ID] = momentum.z;
    mass[LOCAL_ID] = total;
    SYNC_THREADS
    for (int split = 32; split > 0; split /= 2) {
        if (LOCAL_ID < split) {
            x[LOCAL_ID] += x[LOCAL_ID + split];
            y[LOCAL_ID] += y[LOCAL_ID + split];
            z[LOCAL_ID] += z[LOCAL_ID + split];
            mass[LOCAL_ID] += mass[LOCAL_ID + split];
        }
        SYNC_THREADS
    }
    const coordinate3 drift = make_coordinate3(x[0], y[0], z[0])*(1/mass[0]);
    for (int i = LOCAL_ID; i < COPY_ATOMS; i += 64) {
        const int n = GROUP_ID*COPY_ATOMS + i;
        if (inverse_masses[i] != 0) store_vector(velocities, n, stored_vector(velocities, n) - drift);
    }
}

KERNEL void count_ring(GLOBAL mm_ulong* counter) { counter[0] += 2; }
)";

}  // namespace trotter::rpmd
