// The periodic box and its images.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>

#include <trotter/error.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Three box vectors [nm] in reduced form: a along x, b in the xy plane, a.x ≥ 2|b.x|, a.x ≥ 2|c.x|, b.y ≥ 2|c.y|,
/// and a.x, b.y, c.z positive. The default is OpenMM's.
struct Box {
    Vec3<> a{2, 0, 0}, b{0, 2, 0}, c{0, 0, 2};  ///< reduced [nm]
    bool is_given = true;  ///< false in a System until it gets a box, which periodic forces need

    /// From the lengths of its edges [nm].
    static constexpr Box rectangular(double x, double y, double z) { return {{x, 0, 0}, {0, y, 0}, {0, 0, z}}; }

    /// [nm³]
    constexpr double volume() const { return a.x * b.y * c.z; }
    /// The shortest distance between opposite faces [nm]; a cutoff is at most half of it.
    constexpr double shortest_width() const {
        double const width = a.x < b.y ? a.x : b.y;
        return width < c.z ? width : c.z;
    }
    /// Whether the vectors are along the axes.
    constexpr bool is_rectangular() const { return b.x == 0 && c.x == 0 && c.y == 0; }

    /// The periodic image of a difference vector as in OpenMM: subtracts whole multiples of c, then b, then a. It is
    /// the minimum image whenever the result is shorter than half the shortest width. `T` may be a SIMD batch.
    template <class T = double> Vec3<T> minimum_image(Vec3<T> const& d) const {
        using std::floor;  // those of SIMD types are found by their arguments
        T const of_c = floor(d.z / T(c.z) + T(0.5));
        T const y = d.y - T(c.y) * of_c, of_b = floor(y / T(b.y) + T(0.5));
        T const x = d.x - T(c.x) * of_c - T(b.x) * of_b, of_a = floor(x / T(a.x) + T(0.5));
        return {x - T(a.x) * of_a, y - T(b.y) * of_b, d.z - T(c.z) * of_c};
    }

    /// Fractional coordinates s with point = s.x a + s.y b + s.z c.
    constexpr Vec3<> fractions(Vec3<> const& point) const {
        double const z = point.z / c.z, y = (point.y - z * c.y) / b.y;
        return {(point.x - y * b.x - z * c.x) / a.x, y, z};
    }
    /// The vector m with m·point = k·fractions(point): a wave vector without its factor 2 pi, or the Cartesian gradient
    /// for the gradient k by fractional coordinates.
    constexpr Vec3<> reciprocal(Vec3<> const& k) const {
        double const x = k.x / a.x, y = (k.y - x * b.x) / b.y;
        return {x, y, (k.z - x * c.x - y * c.y) / c.z};
    }

    /// The shift by whole box vectors that brings a point into the brick 0 … a.x, 0 … b.y, 0 … c.z.
    Vec3<> wrapping_shift(Vec3<> const& point) const {
        Vec3<> shift = c * -std::floor(point.z / c.z);
        shift -= b * std::floor((point.y + shift.y) / b.y);
        shift -= a * std::floor((point.x + shift.x) / a.x);
        return shift;
    }

    /// Throws InputError with the violated condition of the reduced form and the value.
    [[gnu::cold]] void check() const {
        auto refuse = [](std::string const& what) { throw InputError("the box vectors are not in reduced form: " + what); };
        auto text = [](double v) { return std::to_string(v); };
        for (auto const* v : {&a, &b, &c})
            if (!std::isfinite(v->x) || !std::isfinite(v->y) || !std::isfinite(v->z)) refuse("a component is not a finite number");
        if (a.y != 0 || a.z != 0) refuse("the first vector must lie along x, but its y, z are " + text(a.y) + ", " + text(a.z));
        if (b.z != 0) refuse("the second vector must lie in the xy plane, but its z is " + text(b.z));
        if (!(a.x > 0 && b.y > 0 && c.z > 0))
            refuse("a.x, b.y, c.z must be positive, but are " + text(a.x) + ", " + text(b.y) + ", " + text(c.z));
        if (a.x < 2 * std::abs(b.x)) refuse("|b.x| = " + text(std::abs(b.x)) + " exceeds half of a.x = " + text(a.x));
        if (a.x < 2 * std::abs(c.x)) refuse("|c.x| = " + text(std::abs(c.x)) + " exceeds half of a.x = " + text(a.x));
        if (b.y < 2 * std::abs(c.y)) refuse("|c.y| = " + text(std::abs(c.y)) + " exceeds half of b.y = " + text(b.y));
    }

    /// Compares the vectors alone.
    friend constexpr bool operator==(Box const& p, Box const& q) { return p.a == q.a && p.b == q.b && p.c == q.c; }
};

}  // namespace trotter
