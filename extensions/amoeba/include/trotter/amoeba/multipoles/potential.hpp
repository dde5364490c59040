// Potential of a site's moments at another site, for any radial functions.
// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <trotter/amoeba/multipoles/moments.hpp>

namespace trotter::amoeba {

// The potential of moments at distance vector r is
//
//     φ = q F_0(r) + (μ·r) F_1(r) + (r·Q r) F_2(r),
//
// with F_l = (-1/r d/dr)^l 1/r for Coulomb's law. Each derivative by position either takes one r_a away or replaces a
// radial function by -r_a times the next one, F_l^(n) = (-1/r d/dr)^n F_l. So all derivatives are sums of
//
//     S_n = q F_0^(n) + (μ·r) F_1^(n) + (r·Q r) F_2^(n),   V_n = μ F_1^(n) + 2 Q r F_2^(n),   2 Q F_2^(n).
//
// A table of radial functions has members s(l, n), v(l, n) and w(n), the functions in S, V and 2 Q.

/// The moments of a site with a dipole alone.
template <class T = double> struct Dipole {
    Vec3<T> dipole{};  ///< [e nm]
};

namespace detail {

// The sums S, V of a source.
template <class Source, class T, class Table> class SourceSums {
public:
    static constexpr bool has_quadrupole = std::is_same_v<Source, Moments<T>>;

    constexpr SourceSums(Source const& source, Vec3<T> const& r, Table const& table)
        : source_(source), table_(table), along_(dot(source.dipole, r)) {
        if constexpr (has_quadrupole) twice_ = source.quadrupole * r, square_ = dot(twice_, r), twice_ *= T(2);
    }
    constexpr T s(int n) const {
        if constexpr (has_quadrupole)
            return source_.charge * table_.s(0, n) + along_ * table_.s(1, n) + square_ * table_.s(2, n);
        else
            return along_ * table_.s(1, n);
    }
    constexpr Vec3<T> v(int n) const {
        if constexpr (has_quadrupole)
            return source_.dipole * table_.v(1, n) + twice_ * table_.v(2, n);
        else
            return source_.dipole * table_.v(1, n);
    }
    constexpr Symmetric<T> w(int n) const { return source_.quadrupole * (T(2) * table_.w(n)); }

private:
    Source const& source_;
    Table const& table_;
    T along_, square_{};
    Vec3<T> twice_{};
};

template <class T>
constexpr Symmetric<T> second_derivative(Vec3<T> const& r, T const& s1, T const& s2, Vec3<T> const& v1) {
    Vec3<T> const half = r * (s2 * T(0.5)) - v1;  // r_a half_b + r_b half_a = r_a r_b S_2 - r_a V_b - r_b V_a
    return {T(2) * r.x * half.x - s1, r.x * half.y + r.y * half.x, r.x * half.z + r.z * half.x,
            T(2) * r.y * half.y - s1, r.y * half.z + r.z * half.y, T(2) * r.z * half.z - s1};
}

// δ_ab u_c + δ_ac u_b + δ_bc u_a + r_a p_bc + r_b p_ac + r_c p_ab.
template <class T>
constexpr SymmetricThird<T> third_derivative(Vec3<T> const& r, Vec3<T> const& u, Symmetric<T> const& p) {
    return {T(3) * (u.x + r.x * p.xx),
            u.y + T(2) * r.x * p.xy + r.y * p.xx,
            u.z + T(2) * r.x * p.xz + r.z * p.xx,
            u.x + T(2) * r.y * p.xy + r.x * p.yy,
            r.x * p.yz + r.y * p.xz + r.z * p.xy,
            u.x + T(2) * r.z * p.xz + r.x * p.zz,
            T(3) * (u.y + r.y * p.yy),
            u.z + T(2) * r.y * p.yz + r.z * p.yy,
            u.y + T(2) * r.z * p.yz + r.y * p.zz,
            T(3) * (u.z + r.z * p.zz)};
}

}  // namespace detail

/// The gradient of the potential of `source`; `r` leads from the source to the place.
template <class Source, class T, class Table>
constexpr Vec3<T> potential_gradient(Source const& source, Vec3<T> const& r, Table const& table) {
    detail::SourceSums<Source, T, Table> const sums(source, r, table);
    return sums.v(0) - r * sums.s(1);
}

/// The second derivatives.
template <class Source, class T, class Table>
constexpr Symmetric<T> second_potential_derivative(Source const& source, Vec3<T> const& r, Table const& table) {
    detail::SourceSums<Source, T, Table> const sums(source, r, table);
    auto result = detail::second_derivative(r, sums.s(1), sums.s(2), sums.v(1));
    if constexpr (sums.has_quadrupole) result += sums.w(0);
    return result;
}

/// The potential and its derivatives up to order `most`, which is 2 or 3.
template <int most, class Source, class T, class Table>
constexpr Potential<T> potential_of(Source const& source, Vec3<T> const& r, Table const& table) {
    detail::SourceSums<Source, T, Table> const sums(source, r, table);
    T const s1 = sums.s(1), s2 = sums.s(2);
    Vec3<T> const v1 = sums.v(1);
    Potential<T> result;
    result.value = sums.s(0);
    result.first = sums.v(0) - r * s1;
    result.second = detail::second_derivative(r, s1, s2, v1);
    if constexpr (sums.has_quadrupole) result.second += sums.w(0);
    if constexpr (most == 3) {
        // r_a p_bc and its permutations are -r_a r_b r_c S_3 + Σ r_a r_b V_c - Σ r_a 2 Q_bc F.
        Vec3<T> const half = sums.v(2) * T(0.5) - r * (sums.s(3) * T(1.0 / 6));
        Symmetric<T> p{T(2) * r.x * half.x, r.x * half.y + r.y * half.x, r.x * half.z + r.z * half.x,
                       T(2) * r.y * half.y, r.y * half.z + r.z * half.y, T(2) * r.z * half.z};
        if constexpr (sums.has_quadrupole) p += sums.w(1) * T(-1);
        result.third = detail::third_derivative(r, r * s2 - v1, p);
    }
    return result;
}

}  // namespace trotter::amoeba
