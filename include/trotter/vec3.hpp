// Vectors in space: positions, velocities and forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace trotter {

/// A vector in space. `T` is double in storage, and float or a SIMD batch inside kernels.
template <class T = double> struct Vec3 {
    T x{}, y{}, z{};  ///< Cartesian components

    ///@{
    /// Component 0, 1 or 2.
    constexpr T& operator[](std::size_t axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr T const& operator[](std::size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    ///@}

    ///@{
    /// Component by component; a quotient is the product with 1/s.
    constexpr Vec3& operator+=(Vec3 const& b) { return *this = *this + b; }
    constexpr Vec3& operator-=(Vec3 const& b) { return *this = *this - b; }
    constexpr Vec3& operator*=(T const& s) { return *this = *this * s; }

    friend constexpr Vec3 operator+(Vec3 const& a, Vec3 const& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3 operator-(Vec3 const& a, Vec3 const& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator-(Vec3 const& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(Vec3 const& a, T const& s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec3 operator*(T const& s, Vec3 const& a) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec3 operator/(Vec3 const& a, T const& s) { return a * (T(1) / s); }
    friend constexpr bool operator==(Vec3 const& a, Vec3 const& b)
        requires std::is_arithmetic_v<T>
    ///@}
    {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
};

/// Scalar product.
template <class T> constexpr T dot(Vec3<T> const& a, Vec3<T> const& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Cross product.
template <class T> constexpr Vec3<T> cross(Vec3<T> const& a, Vec3<T> const& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Length.
template <class T> T norm(Vec3<T> const& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}

/// Whether all components are finite.
inline bool is_finite(Vec3<> const& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace trotter
