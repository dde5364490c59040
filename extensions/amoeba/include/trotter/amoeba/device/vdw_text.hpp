// Source of the kernels of AmoebaVdwForce.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/amoeba/vdw.hpp>
#include <trotter/device/runtime/numbers.hpp>

namespace trotter::amoeba {

/// Source of a pair: `site` has the displacement of the site from the particle and the type, `factors` the scale factor
/// and whether the particle is alchemical; `pair_table` has sigma and epsilon of `types`² pairs. Adds the forces on sites to sums fx, fy, fz.
std::string vdw_pair_text(AmoebaVdwForce const& force, device::NumberTypes const& numbers);

/// Kernels that find sites, and split the forces on them between particles and parents.
inline constexpr char const* vdw_sites_text = R"(
KERNEL void place_sites(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const int* RESTRICT parents,
                        GLOBAL const real* RESTRICT shares, GLOBAL real4* RESTRICT sites) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        const coordinate4 p = positions[atom], parent = positions[parents[atom]];
        const real rest = 1 - shares[atom];
        sites[atom] = make_real4(rest*(real) (parent.x - p.x), rest*(real) (parent.y - p.y), rest*(real) (parent.z - p.z), sites[atom].w);
    }
}
KERNEL void split_forces(GLOBAL mm_long* RESTRICT sums, GLOBAL mm_ulong* RESTRICT forces, GLOBAL const int* RESTRICT parents,
                         GLOBAL const real* RESTRICT shares) {
    for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {
        real f[3];
        for (int n = 0; n < 3; ++n) {
            f[n] = (real) ((coordinate) sums[PARTICLE_SUM(FIRST_SUM + n) + atom]*(coordinate) 2.3283064365386963e-10);
            sums[PARTICLE_SUM(FIRST_SUM + n) + atom] = 0;
        }
        const real share = shares[atom], rest = 1 - share;
        add_force(forces, atom, make_real3(share*f[0], share*f[1], share*f[2]));
        if (rest != 0) add_force(forces, parents[atom], make_real3(rest*f[0], rest*f[1], rest*f[2]));
    }
}
)";

}  // namespace trotter::amoeba
