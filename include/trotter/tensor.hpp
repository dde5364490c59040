// Tensors of second rank: virials and pressures.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <trotter/vec3.hpp>

namespace trotter {

/// Nine elements `t[row][column]`.
struct Tensor {
    std::array<Vec3<>, 3> rows;

    static constexpr Tensor diagonal(double value) {
        return {{Vec3<>{value, 0, 0}, Vec3<>{0, value, 0}, Vec3<>{0, 0, value}}};
    }

    constexpr Vec3<>& operator[](std::size_t row) { return rows[row]; }
    constexpr Vec3<> const& operator[](std::size_t row) const { return rows[row]; }
    constexpr double trace() const { return rows[0].x + rows[1].y + rows[2].z; }

    constexpr Tensor& operator+=(Tensor const& b) {
        for (std::size_t row = 0; row < 3; ++row) rows[row] += b[row];
        return *this;
    }
    friend constexpr Tensor operator+(Tensor a, Tensor const& b) { return a += b; }
    friend constexpr Tensor operator-(Tensor a, Tensor const& b) { return a += b * -1; }
    friend constexpr Tensor operator*(Tensor const& a, double s) { return {{a[0] * s, a[1] * s, a[2] * s}}; }
    friend constexpr Tensor operator/(Tensor const& a, double s) { return a * (1 / s); }
};

/// The elements a_row b_column.
constexpr Tensor outer(Vec3<> const& a, Vec3<> const& b) { return {{b * a.x, b * a.y, b * a.z}}; }

}  // namespace trotter
