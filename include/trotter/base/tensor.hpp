// Tensors of second rank: virials, pressures, shapes of ellipsoids.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <trotter/vec3.hpp>

namespace trotter {

/// Nine elements `t[row][column]`.
struct Tensor {
    std::array<Vec3<>, 3> rows;  ///< [row].x, .y, .z

    /// `value` times the unit tensor.
    static constexpr Tensor diagonal(double value) {
        return {{Vec3<>{value, 0, 0}, Vec3<>{0, value, 0}, Vec3<>{0, 0, value}}};
    }

    ///@{
    /// The three elements of one row.
    constexpr Vec3<>& operator[](std::size_t row) { return rows[row]; }
    constexpr Vec3<> const& operator[](std::size_t row) const { return rows[row]; }
    ///@}
    /// Sum of the diagonal.
    constexpr double trace() const { return rows[0].x + rows[1].y + rows[2].z; }

    ///@{
    /// Element by element.
    constexpr Tensor& operator+=(Tensor const& b) { return *this = *this + b; }
    friend constexpr Tensor operator+(Tensor const& a, Tensor const& b) {
        return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
    }
    friend constexpr Tensor operator-(Tensor const& a, Tensor const& b) { return a + b * -1; }
    friend constexpr Tensor operator*(Tensor const& a, double s) { return {{a[0] * s, a[1] * s, a[2] * s}}; }
    friend constexpr Tensor operator/(Tensor const& a, double s) { return a * (1 / s); }
    ///@}
    /// Matrix times vector.
    friend constexpr Vec3<> operator*(Tensor const& a, Vec3<> const& v) {
        return {dot(a[0], v), dot(a[1], v), dot(a[2], v)};
    }
};

/// The elements a_row b_column.
constexpr Tensor outer(Vec3<> const& a, Vec3<> const& b) { return {{b * a.x, b * a.y, b * a.z}}; }

}  // namespace trotter
