// Moments of a site, the potential that they feel, and the contraction of both.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/vec3.hpp>

namespace trotter::amoeba {

/// A symmetric matrix.
template <class T = double> struct Symmetric {
    T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};  ///< its different elements

    ///@{
    /// Element by element.
    constexpr Symmetric& operator+=(Symmetric const& b) {
        xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
        return *this;
    }
    friend constexpr Symmetric operator*(Symmetric const& a, T const& s) {
        return {a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
    }
    ///@}
    /// Matrix times vector.
    friend constexpr Vec3<T> operator*(Symmetric const& a, Vec3<T> const& v) {
        return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                a.xz * v.x + a.yz * v.y + a.zz * v.z};
    }
};

/// Sum of products of all nine elements.
template <class T> constexpr T contract(Symmetric<T> const& a, Symmetric<T> const& b) {
    return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + T(2) * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}

/// The different elements of a symmetric tensor of third rank.
template <class T = double> struct SymmetricThird {
    T xxx{}, xxy{}, xxz{}, xyy{}, xyz{}, xzz{}, yyy{}, yyz{}, yzz{}, zzz{};  ///< its different elements

    /// Element by element.
    constexpr SymmetricThird& operator+=(SymmetricThird const& b) {
        xxx += b.xxx, xxy += b.xxy, xxz += b.xxz, xyy += b.xyy, xyz += b.xyz;
        xzz += b.xzz, yyy += b.yyy, yyz += b.yyz, yzz += b.yzz, zzz += b.zzz;
        return *this;
    }
};

/// Sums of products over two indices.
template <class T> constexpr Vec3<T> contract(SymmetricThird<T> const& t, Symmetric<T> const& q) {
    return {contract(Symmetric<T>{t.xxx, t.xxy, t.xxz, t.xyy, t.xyz, t.xzz}, q),
            contract(Symmetric<T>{t.xxy, t.xyy, t.xyz, t.yyy, t.yyz, t.yzz}, q),
            contract(Symmetric<T>{t.xxz, t.xyz, t.xzz, t.yyz, t.yzz, t.zzz}, q)};
}

/// Charge, dipole and quadrupole of a site, as the operator q + μ·∇ + Q:∇∇ that gives its energy in a potential; Q is
/// a third of the traceless quadrupole.
template <class T = double> struct Moments {
    T charge{};                 ///< [e]
    Vec3<T> dipole{};           ///< [e nm]
    Symmetric<T> quadrupole{};  ///< traceless [e nm²]
};

/// A potential at a site, and its derivatives by position [e/nm and per nm for each derivative, times 4 pi eps0].
template <class T = double> struct Potential {
    T value{};                  ///< the potential
    Vec3<T> first{};            ///< its gradient
    Symmetric<T> second{};      ///< second derivatives
    SymmetricThird<T> third{};  ///< third derivatives

    /// The potential of both.
    constexpr Potential& operator+=(Potential const& b) {
        value += b.value, first += b.first, second += b.second, third += b.third;
        return *this;
    }
};

/// Energy of moments in a potential.
template <class T> constexpr T energy_of(Moments<T> const& m, Potential<T> const& p) {
    return m.charge * p.value + dot(m.dipole, p.first) + contract(m.quadrupole, p.second);
}
/// Its derivative by the site's position, with fixed moments.
template <class T> constexpr Vec3<T> gradient_of(Moments<T> const& m, Potential<T> const& p) {
    return p.first * m.charge + p.second * m.dipole + contract(p.third, m.quadrupole);
}

}  // namespace trotter::amoeba
