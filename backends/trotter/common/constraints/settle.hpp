// Solves the constraints of rigid triangles, such as water molecules, in closed form.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include <trotter/common/constraints/shapes.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Edges ab and ac. The centre of mass is at a + mass_b ab + mass_c ac.
template <class T> struct TriangleEdges {
    Vec3<T> ab, ac;

    Vec3<T> centre(Triangle<T> const& t) const { return t.mass_b * ab + t.mass_c * ac; }
};

/// Applies the constraints of a triangle to `moved`, with forces along the edges of `start`: in the spirit of SETTLE
/// (Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)), for any triangle and with neither angles nor a special frame.
/// Such forces lie in the plane of `start`, with normal n, and their torque about `start` vanishes. Hence
/// (1) heights along n are unchanged: they fix the components s1, s2 along n of the triangle's own axes e1, e2;
/// (2) the in-plane parts of the axes are those of the smallest rotation with this tilt of n, turned about n by an
///     angle ψ with A sin ψ + B cos ψ = C from the torque.
/// NaN if there is no solution. Every length follows from the axes, so it is exact to rounding.
template <class T>
TriangleEdges<T> settled(Triangle<T> const& t, TriangleEdges<T> const& start, TriangleEdges<T> const& moved) {
    using std::sqrt;
    Vec3<T> normal = cross(start.ab, start.ac);
    T const area = sqrt(dot(normal, normal));
    normal *= 1.0 / area;
    // In-plane components are taken along start.ab and across = normal × start.ab, both of length |start.ab|.
    Vec3<T> const across = cross(normal, start.ab);
    T const square = dot(start.ab, start.ab), inverse_square = 1.0 / square, start_along = dot(start.ac, start.ab);

    T const height_b = dot(normal, moved.ab), height_c = dot(normal, moved.ac);
    T const s1 = height_b * t.inverse_length, s2 = (height_c - t.along * s1) * t.inverse_across;
    T const cosine = sqrt(1.0 - (s1 * s1 + s2 * s2)), scale = 1.0 / (1.0 + cosine);
    T const e1_along = 1.0 - s1 * s1 * scale, mixed = -s1 * s2 * scale, e2_across = 1.0 - s2 * s2 * scale;
    T const b_along = t.length * e1_along, b_across = t.length * mixed;
    T const c_along = t.along * e1_along + t.across * mixed, c_across = t.along * mixed + t.across * e2_across;

    // Arms of b and c about the centre of mass at the start, times their masses.
    T const centre_along = t.mass_b * square + t.mass_c * start_along, centre_across = t.mass_c * area;
    T const arm_b_along = t.mass_b * (square - centre_along), arm_b_across = -t.mass_b * centre_across;
    T const arm_c_along = t.mass_c * (start_along - centre_along), arm_c_across = t.mass_c * (area - centre_across);
    T const a = arm_b_along * b_along + arm_b_across * b_across + arm_c_along * c_along + arm_c_across * c_across;
    T const b = arm_b_along * b_across - arm_b_across * b_along + arm_c_along * c_across - arm_c_across * c_along;
    T const c = (arm_b_along * dot(moved.ab, across) - arm_b_across * dot(moved.ab, start.ab)
                 + arm_c_along * dot(moved.ac, across) - arm_c_across * dot(moved.ac, start.ab))
                * inverse_square;
    // sin and cos of ψ, divided by |start.ab|, the unit of the in-plane components.
    T const norm_square = a * a + b * b, root = sqrt(norm_square * inverse_square - c * c), inverse = 1.0 / norm_square;
    T const sine = (c * a - b * root) * inverse, turn = (c * b + a * root) * inverse;
    auto const point = [&](T const& x, T const& y, T const& height) {
        return (turn * x - sine * y) * start.ab + (sine * x + turn * y) * across + height * normal;
    };
    return {point(b_along, b_across, height_b), point(c_along, c_across, height_c)};
}

/// Relative velocities of the rigid motion with the momentum and angular momentum of `velocities`, which forces along
/// the edges conserve. From I ω = Σ m r × v about the centre of mass.
template <class T>
TriangleEdges<T> rigid_motion(Triangle<T> const& t, TriangleEdges<T> const& edges, TriangleEdges<T> const& velocities) {
    Vec3<T> const centre = edges.centre(t);
    Vec3<T> const arm_b = t.mass_b * (edges.ab - centre), arm_c = t.mass_c * (edges.ac - centre);
    Vec3<T> const angular_momentum = cross(arm_b, velocities.ab) + cross(arm_c, velocities.ac);
    auto const second_moment = [&](std::size_t i, std::size_t j) {
        return arm_b[i] * edges.ab[j] + arm_c[i] * edges.ac[j];
    };
    T const xx = second_moment(0, 0), yy = second_moment(1, 1), zz = second_moment(2, 2);
    T const ixx = yy + zz, iyy = xx + zz, izz = xx + yy;
    T const ixy = -second_moment(0, 1), ixz = -second_moment(0, 2), iyz = -second_moment(1, 2);
    Vec3<T> const row1{iyy * izz - iyz * iyz, ixz * iyz - ixy * izz, ixy * iyz - ixz * iyy};  // adjugate
    Vec3<T> const row2{row1.y, ixx * izz - ixz * ixz, ixy * ixz - ixx * iyz};
    Vec3<T> const row3{row1.z, row2.z, ixx * iyy - ixy * ixy};
    T const inverse_determinant = 1.0 / (ixx * row1.x + ixy * row1.y + ixz * row1.z);
    Vec3<T> const rotation =
        inverse_determinant
        * Vec3<T>{dot(row1, angular_momentum), dot(row2, angular_momentum), dot(row3, angular_momentum)};
    return {cross(rotation, edges.ab), cross(rotation, edges.ac)};
}

}  // namespace trotter
