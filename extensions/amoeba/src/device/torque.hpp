// The torque on moments.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/amoeba/multipoles/moments.hpp>

namespace trotter::amoeba {

/// Minus the derivative of the moments' energy in a potential by a rotation of the moments.
template <class T> Vec3<T> torque_on(Moments<T> const& m, Potential<T> const& p) {
    auto const &q = m.quadrupole, &h = p.second;
    // Q H - H Q
    Vec3<T> const axial{q.xy * h.xz + q.yy * h.yz + q.yz * h.zz - (q.xz * h.xy + q.yz * h.yy + q.zz * h.yz),
                        q.xz * h.xx + q.yz * h.xy + q.zz * h.xz - (q.xx * h.xz + q.xy * h.yz + q.xz * h.zz),
                        q.xx * h.xy + q.xy * h.yy + q.xz * h.yz - (q.xy * h.xx + q.yy * h.xy + q.yz * h.xz)};
    return axial * T(-2) - cross(m.dipole, p.first);
}

}  // namespace trotter::amoeba
