// The frame in which a site's moments are given, as a function of the positions of other particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/amoeba/multipoles/dual.hpp>
#include <trotter/amoeba/multipoles/moments.hpp>

namespace trotter::amoeba {

/// Axes x, y, z of a frame.
template <class T = double> using Frame = std::array<Vec3<T>, 3>;

namespace detail {

/// A vector of length 1, or 0 for a vector of length 0.
template <class T> Vec3<T> normalized(Vec3<T> const& v) {
    using std::sqrt;
    using Value = std::remove_cvref_t<decltype(value_of(v.x))>;
    T const square = dot(v, v);
    return v * (T(1) / sqrt(select(Value(0) < value_of(square), square, T(1))));
}

/// a where `condition` is true, and b elsewhere.
template <class Condition, class T>
Vec3<T> select_vector(Condition const& condition, Vec3<T> const& a, Vec3<T> const& b) {
    return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

/// A fixed axis that is not along z.
template <class T> Vec3<T> axis_across(Vec3<T> const& z) {
    using std::abs;
    using Value = std::remove_cvref_t<decltype(value_of(z.x))>;
    return select_vector(abs(value_of(z.x)) < Value(0.866), Vec3<T>{T(1), T(0), T(0)}, Vec3<T>{T(0), T(1), T(0)});
}

/// Whether x and z, of length 1, define a plane: not in a linear molecule, whose moments are symmetric about z.
template <class T> auto define_plane(Vec3<T> const& z, Vec3<T> const& x) {
    using Value = std::remove_cvref_t<decltype(value_of(z.x))>;
    constexpr double rounding = 1e-24;  // of a square
    Vec3<T> const across = cross(z, x);
    return Value(rounding) * value_of(dot(x, x)) < value_of(dot(across, across));
}

}  // namespace detail

/// The frame for the vectors from a site to the particles that define its axes. The z axis is along `to_z`, a bisector,
/// or the sum of three directions; the x axis is orthogonal to z in the plane of z and another direction, which is a
/// fixed axis with ZOnly, and if all are along z (J. W. Ponder et al., J. Phys. Chem. B 114, 2549 (2010)).
template <class T>
Frame<T> frame_of(AmoebaMultipoleForce::Axis axis, Vec3<T> const& to_z, Vec3<T> const& to_x, Vec3<T> const& to_y) {
    using Axis = AmoebaMultipoleForce::Axis;
    using detail::normalized;
    if (axis == Axis::none) return {Vec3<T>{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}};
    Vec3<T> z = normalized(to_z), x = to_x;
    if (axis == Axis::bisector)
        x = normalized(to_x), z = normalized(z + x);
    else if (axis == Axis::z_bisect)
        x = normalized(normalized(to_x) + normalized(to_y));
    else if (axis == Axis::three_fold)
        x = normalized(to_x), z = normalized(z + x + normalized(to_y));
    Vec3<T> const across = detail::axis_across(z);
    x = axis == Axis::z_only ? across : detail::select_vector(detail::define_plane(z, x), x, across);
    x = normalized(x - z * dot(z, x));
    return {x, cross(z, x), z};
}

/// Moments in the laboratory frame.
template <class T> Moments<T> rotated(Moments<T> const& m, Frame<T> const& frame) {
    auto const& [x, y, z] = frame;
    auto const& q = m.quadrupole;
    Vec3<T> const a = x * q.xx + y * q.xy + z * q.xz, b = x * q.xy + y * q.yy + z * q.yz,
                  c = x * q.xz + y * q.yz + z * q.zz;
    auto element = [&](T const& xi, T const& yi, T const& zi, T const& aj, T const& bj, T const& cj) {
        return xi * aj + yi * bj + zi * cj;
    };
    return {m.charge,
            x * m.dipole.x + y * m.dipole.y + z * m.dipole.z,
            {element(x.x, y.x, z.x, a.x, b.x, c.x), element(x.x, y.x, z.x, a.y, b.y, c.y),
             element(x.x, y.x, z.x, a.z, b.z, c.z), element(x.y, y.y, z.y, a.y, b.y, c.y),
             element(x.y, y.y, z.y, a.z, b.z, c.z), element(x.z, y.z, z.z, a.z, b.z, c.z)}};
}

/// Derivative of the energy of a site by the axes of its frame: `m` are its moments in the frame, `p` the derivatives
/// of the energy by its moments in the laboratory frame.
inline Frame<> energy_by_frame(Moments<> const& m, Frame<> const& frame, Potential<> const& p) {
    auto const& [x, y, z] = frame;
    auto const& q = m.quadrupole;
    return {p.first * m.dipole.x + (p.second * (x * q.xx + y * q.xy + z * q.xz)) * 2,
            p.first * m.dipole.y + (p.second * (x * q.xy + y * q.yy + z * q.yz)) * 2,
            p.first * m.dipole.z + (p.second * (x * q.xz + y * q.yz + z * q.zz)) * 2};
}

/// Derivatives of a sum over the axes' components, with coefficients `of`, by the vectors to the particles z, x, y.
template <class T> std::array<Vec3<T>, 3> frame_gradient(AmoebaMultipoleForce::Axis axis, Vec3<T> const& to_z,
                                                         Vec3<T> const& to_x, Vec3<T> const& to_y, Frame<T> const& of) {
    using Number = Dual<9, T>;
    auto variables = [](Vec3<T> const& v, std::size_t first) {
        return Vec3<Number>{Number::variable(v.x, first), Number::variable(v.y, first + 1),
                            Number::variable(v.z, first + 2)};
    };
    auto const frame = frame_of(axis, variables(to_z, 0), variables(to_x, 3), variables(to_y, 6));
    Number sum;
    for (std::size_t n = 0; n < 3; ++n)
        sum += frame[n].x * Number(of[n].x) + frame[n].y * Number(of[n].y) + frame[n].z * Number(of[n].z);
    auto const& s = sum.slope;
    return {Vec3<T>{s[0], s[1], s[2]}, {s[3], s[4], s[5]}, {s[6], s[7], s[8]}};
}

}  // namespace trotter::amoeba
