// Geometric variables of the springs of Drude oscillators.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>

#include <trotter/parts/terms/variables.hpp>
#include <trotter/vec3.hpp>

namespace trotter::drude {

/// The squared distance of two particles [nm²], smooth where they coincide.
struct SquaredDistance {
    std::string_view name;         ///< name in the formula
    std::array<int, 2> particles;  ///< indices within the term

    /// Value and gradient.
    template <class T, class Difference> Variation<T, 2> vary(Difference const& difference) const {
        Vec3<T> const d = difference(particles[1], particles[0]);
        Vec3<T> const twice = d + d;
        return {dot(d, d), {-twice, twice}};
    }
};

/// The component [nm] of the difference between the first two particles along the direction from the fourth to the
/// third one.
struct Projection {
    std::string_view name;         ///< name in the formula
    std::array<int, 4> particles;  ///< indices within the term

    /// Value and gradient; both are 0 where the last two particles coincide.
    template <class T, class Difference> Variation<T, 4> vary(Difference const& difference) const {
        Vec3<T> const d = difference(particles[0], particles[1]), axis = difference(particles[2], particles[3]);
        T const per_length = bounded_inverse(norm(axis));
        Vec3<T> const direction = axis * per_length;
        T const along = dot(d, direction);
        Vec3<T> const turning = (d - direction * along) * per_length;  // by the direction of the axis
        return {along, {direction, -direction, turning, -turning}};
    }
};

}  // namespace trotter::drude
