// The geometric variables of terms: their values and gradients for the particles of one term.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <trotter/vec3.hpp>

namespace trotter {

/// The value of a variable and its derivative with respect to the position of each particle it depends on.
template <class T, std::size_t N> struct Variation {
    T value;
    std::array<Vec3<T>, N> gradient;
};

// `difference(i, j)` is x_i - x_j (the periodic image, where the force asks for it) for particles of the term.
// T is double, float or a SIMD batch. Denominators are kept from zero, so that collinear or coinciding particles
// give a zero gradient instead of a NaN.

template <class T> T kept_from_zero(T const& x) {
    using std::max;
    return max(x, T(1e-30));
}

/// The distance between two particles [nm].
struct Distance {
    std::string_view name;
    std::array<int, 2> particles;

    template <class T, class Difference> Variation<T, 2> vary(Difference const& difference) const {
        Vec3<T> const d = difference(particles[1], particles[0]);
        T const r = norm(d);
        Vec3<T> const direction = d * (T(1) / kept_from_zero(r));
        return {r, {-direction, direction}};
    }
};

/// The angle at the middle one of three particles [radian, 0 to pi].
struct Angle {
    std::string_view name;
    std::array<int, 3> particles;

    template <class T, class Difference> Variation<T, 3> vary(Difference const& difference) const {
        using std::atan2;
        Vec3<T> const d0 = difference(particles[0], particles[1]), d2 = difference(particles[2], particles[1]);
        Vec3<T> const normal = cross(d0, d2);
        T const length = norm(normal);
        T const scale = T(1) / kept_from_zero(length);
        Vec3<T> const g0 = cross(d0, normal) * (scale / kept_from_zero(dot(d0, d0)));
        Vec3<T> const g2 = cross(normal, d2) * (scale / kept_from_zero(dot(d2, d2)));
        return {atan2(length, dot(d0, d2)), {g0, -(g0 + g2), g2}};
    }
};

/// The dihedral angle of four particles [radian, -pi to pi], 0 for cis; gradients of A. Blondel and M. Karplus,
/// J. Comput. Chem. 17, 1132 (1996), eq. 27.
struct Dihedral {
    std::string_view name;
    std::array<int, 4> particles;

    template <class T, class Difference> Variation<T, 4> vary(Difference const& difference) const {
        using std::atan2;
        Vec3<T> const f = difference(particles[0], particles[1]), g = difference(particles[1], particles[2]),
                      h = difference(particles[3], particles[2]);
        Vec3<T> const a = cross(f, g), b = cross(h, g);
        T const length = norm(g);
        T const value = atan2(dot(cross(b, a), g) / kept_from_zero(length), dot(a, b));
        T const inverse_a = T(1) / kept_from_zero(dot(a, a)), inverse_b = T(1) / kept_from_zero(dot(b, b));
        Vec3<T> const g0 = a * (-length * inverse_a), g3 = b * (length * inverse_b);
        T const inverse_length = T(1) / kept_from_zero(length);
        Vec3<T> const shear = a * (dot(f, g) * inverse_a * inverse_length) - b * (dot(h, g) * inverse_b * inverse_length);
        return {value, {g0, shear - g0, -shear - g3, g3}};
    }
};

}  // namespace trotter
