// The distance of a pair and the radial functions of its electrostatics.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include <trotter/amoeba/hippo/damping.hpp>
#include <trotter/vec3.hpp>

namespace trotter::amoeba::hippo {

/// Distance of a pair. A mesh has the interactions of all pairs, also scaled ones, as if these were points; so direct
/// space adds erfc(alpha r)/r - (1 - s)/r - s p, where s is the scale and p what penetration takes. `alpha` is 0
/// without a mesh.
template <class T = double> struct Separation {
    Vec3<T> d;  ///< from the second particle to the first
    T r;
    RadialFunctions<T> bare, direct;

    Separation(Vec3<T> const& difference, T const& r2, double alpha)
        : Separation(difference, square_root(r2), T(1) / square_root(r2), alpha) {}
    Separation(Vec3<T> const& difference, T const& distance, T const& inverse, double alpha)
        : d(difference),
          r(distance),
          bare(bare_powers<6>(inverse)),
          direct(alpha > 0 ? ewald_powers<6>(distance, inverse, alpha) : bare) {}

    /// The pair in reverse.
    Separation reversed() const {
        Separation result = *this;
        result.d = -d;
        return result;
    }
    /// Function n between points with scale `s`.
    T between_points(T const& s, std::size_t n) const { return direct.b[n] - (T(1) - s) * bare.b[n]; }
    /// The functions between points with scale `s`.
    RadialFunctions<T> between_points(T const& s) const {
        return detail::radial_functions<T>([&](int n) { return between_points(s, static_cast<std::size_t>(n)); });
    }
    /// The same with penetration.
    RadialFunctions<T> damped(T const& s, RadialFunctions<T> const& penetration) const {
        return detail::radial_functions<T>([&](int k) {
            auto const n = static_cast<std::size_t>(k);
            return between_points(s, n) - s * penetration.b[n];
        });
    }

private:
    static T square_root(T const& x) {
        using std::sqrt;
        return sqrt(x);
    }
};

}  // namespace trotter::amoeba::hippo
