// Symmetric matrices of three rows, for ellipsoids.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/vec3.hpp>

namespace trotter::reference {

struct SymmetricMatrix {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    /// s v vᵀ
    static SymmetricMatrix outer(Vec3<> const& v, double s) {
        return {s * v.x * v.x, s * v.y * v.y, s * v.z * v.z, s * v.x * v.y, s * v.x * v.z, s * v.y * v.z};
    }
    static SymmetricMatrix diagonal(double s) { return {s, s, s, 0, 0, 0}; }

    friend SymmetricMatrix operator+(SymmetricMatrix const& a, SymmetricMatrix const& b) {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    }
    friend SymmetricMatrix operator*(SymmetricMatrix const& a, double s) {
        return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
    }
    SymmetricMatrix& operator+=(SymmetricMatrix const& b) { return *this = *this + b; }
    friend Vec3<> operator*(SymmetricMatrix const& m, Vec3<> const& v) {
        return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                m.xz * v.x + m.yz * v.y + m.zz * v.z};
    }

    double determinant() const {
        return xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    }
    SymmetricMatrix inverse() const {
        SymmetricMatrix const adjoint{yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                                      xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
        return adjoint * (1 / determinant());
    }
};

}  // namespace trotter::reference
