// Source of functions for sums and vectors of multipole sites.
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

}  // namespace trotter::amoeba::kernels
