// The geometric variables of terms: their values and gradients for the particles of one term.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <trotter/base/tensor.hpp>
#include <trotter/parts/least_distance.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// The value of a variable and its derivative with respect to the position of each particle it depends on.
template <class T, std::size_t N> struct Variation {
    T value;  ///< [nm] or [radian]
    std::array<Vec3<T>, N> gradient;  ///< [1], or [radian/nm] of an angle
};

// `difference(i, j)` is x_i - x_j (the minimum image if the force is periodic) for particles of the term;
// `geometry.position(i)` is x_i. T is double, float or a SIMD batch.

namespace detail {
constexpr float max(float a, float b) { return a < b ? b : a; }
constexpr double max(double a, double b) { return a < b ? b : a; }
}  // namespace detail

/// 1/x for x ≥ 0, at most 1e30: collinear or coinciding particles give a zero gradient instead of a NaN.
template <class T> T bounded_inverse(T const& x) {
    using detail::max;  // those of SIMD types are found by argument-dependent lookup
    return T(1) / max(x, T(1e-30f));
}

/// atan2(y, x), 0 where both are 0: SIMD libraries differ there. The added constant vanishes in the rounding of any
/// other x.
template <class T> T direction_angle(T const& y, T const& x) {
    using std::atan2;
    return atan2(y, x + T(1e-30f));
}

/// One coordinate of a particle [nm].
struct Coordinate {
    std::string_view name;  ///< name in the formula
    std::array<int, 1> particles;  ///< index within the term
    int axis;  ///< 0, 1 or 2 for x, y or z

    /// Value and gradient.
    template <class T, class Geometry> Variation<T, 1> vary(Geometry const& geometry) const {
        Vec3<T> const x = geometry.position(particles[0]);
        auto const unit = [this](int along) { return T(along == axis ? 1.0f : 0.0f); };
        return {axis == 0 ? x.x : axis == 1 ? x.y : x.z, {Vec3<T>{unit(0), unit(1), unit(2)}}};
    }
};

/// The distance between two particles [nm].
struct Distance {
    std::string_view name;  ///< name in the formula
    std::array<int, 2> particles;  ///< indices within the term

    /// Value and gradient.
    template <class T, class Difference> Variation<T, 2> vary(Difference const& difference) const {
        using detail::max;
        Vec3<T> const d = difference(particles[1], particles[0]);
        T const r = max(norm(d), least_distance<T>());
        Vec3<T> const direction = d * bounded_inverse(r);
        return {r, {-direction, direction}};
    }
};

/// The angle at the middle one of three particles [radian, 0 to pi].
struct Angle {
    std::string_view name;  ///< name in the formula
    std::array<int, 3> particles;  ///< indices within the term

    /// Value and gradient; a zero gradient where the particles are collinear.
    template <class T, class Difference> Variation<T, 3> vary(Difference const& difference) const {
        Vec3<T> const d0 = difference(particles[0], particles[1]), d2 = difference(particles[2], particles[1]);
        Vec3<T> const normal = cross(d0, d2);
        T const length = norm(normal);
        Vec3<T> const unit_normal = normal * bounded_inverse(length);
        Vec3<T> const g0 = cross(d0, unit_normal) * bounded_inverse(dot(d0, d0));
        Vec3<T> const g2 = cross(unit_normal, d2) * bounded_inverse(dot(d2, d2));
        return {direction_angle(length, dot(d0, d2)), {g0, -(g0 + g2), g2}};
    }
};

/// The dihedral angle of four particles [radian, -pi to pi], 0 for cis; gradients of A. Blondel and M. Karplus,
/// J. Comput. Chem. 17, 1132 (1996), eq. 27.
struct Dihedral {
    std::string_view name;  ///< name in the formula
    std::array<int, 4> particles;  ///< indices within the term

    /// Value and gradient; a zero gradient where three particles are collinear.
    template <class T, class Difference> Variation<T, 4> vary(Difference const& difference) const {
        Vec3<T> const f = difference(particles[0], particles[1]), g = difference(particles[1], particles[2]),
                      h = difference(particles[3], particles[2]);
        Vec3<T> const a = cross(f, g), b = cross(h, g);
        T const length = norm(g), inverse_length = bounded_inverse(length);
        T const value = direction_angle(dot(cross(b, a), g) * inverse_length, dot(a, b));
        Vec3<T> const u = a * bounded_inverse(dot(a, a)), v = b * bounded_inverse(dot(b, b));
        Vec3<T> const g0 = u * -length, g3 = v * length;
        Vec3<T> const shear = u * (dot(f, g) * inverse_length) - v * (dot(h, g) * inverse_length);
        return {value, {g0, shear - g0, -shear - g3, g3}};
    }
};

/// Σ g⊗s over the points of a variable, where g is its derivative by a point and s the image shift of the point
/// relative to the first: the derivative of the variable by a strain of the box alone. `image(i, j)` is the image shift
/// of x_i - x_j, for consecutive points, whose differences variables use.
template <std::size_t N, class Image> Tensor image_slopes(std::array<Vec3<>, N> const& gradient, Image const& image) {
    Tensor result;
    Vec3<> shift;
    for (std::size_t p = 1; p < N; ++p) {
        shift += image(static_cast<int>(p), static_cast<int>(p) - 1);
        result += outer(gradient[p], shift);
    }
    return result;
}

}  // namespace trotter
