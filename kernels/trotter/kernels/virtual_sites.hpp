// What the kernels of virtual sites share.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Forces on sites are handed on in the type of positions: they are sums of many.
inline constexpr char const* virtual_sites = R"(
inline DEVICE mm_ulong coordinate_to_fixed_point(coordinate x) {
    return (mm_ulong) ROUND_TO_LONG(x*(coordinate) 4294967296.0);
}

inline DEVICE void hand_on(GLOBAL mm_ulong* RESTRICT forces, int atom, coordinate3 force) {
    if (!(fabs(force.x) + fabs(force.y) + fabs(force.z) < (coordinate) 1e9)) forces[3*PADDED_NUM_ATOMS] = atom + 1;
    ATOMIC_ADD(&forces[atom], coordinate_to_fixed_point(force.x));
    ATOMIC_ADD(&forces[atom + PADDED_NUM_ATOMS], coordinate_to_fixed_point(force.y));
    ATOMIC_ADD(&forces[atom + 2*PADDED_NUM_ATOMS], coordinate_to_fixed_point(force.z));
}
)";

}  // namespace trotter::kernels
