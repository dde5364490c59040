// Lennard-Jones and Coulomb interactions of one pair of particles, for any number type.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// The energy E of a pair and its virial -r dE/dr: the force on the first particle is (x1 - x2)·virial/r².
template <class T> struct PairValue {
    T energy, virial;  ///< [kJ/mol]

    /// Sums both members.
    [[gnu::always_inline]] friend PairValue operator+(PairValue const& a, PairValue const& b) {
        return {a.energy + b.energy, a.virial + b.virial};
    }
    /// Subtracts both members.
    [[gnu::always_inline]] friend PairValue operator-(PairValue const& a, PairValue const& b) {
        return {a.energy - b.energy, a.virial - b.virial};
    }
};

/// E = q1 q2 (1/r + k r² - c) within the cutoff (I. G. Tironi, R. Sperb, P. E. Smith, W. F. van Gunsteren,
/// J. Chem. Phys. 102, 5451 (1995)); all zero is plain Coulomb.
struct ReactionField {
    double k = 0;  ///< [1/nm³]
    double c = 0;  ///< [1/nm]
};

/// Switching function of Lennard-Jones: 1 - 10t³ + 15t⁴ - 6t⁵ with t = (r - start)·inverse_width.
struct Switching {
    double start = 0, inverse_width = 0;  ///< [nm] and [1/nm]
};

/// Interaction of pairs within the cutoff.
struct DirectSpace {
    double cutoff_distance = std::numeric_limits<double>::infinity();  ///< [nm]
    ReactionField field{};  ///< of Coulomb interactions; all zero with Ewald sums
    std::optional<Switching> switching{};  ///< of Lennard-Jones alone
    double alpha = 0, dispersion_alpha = 0;  ///< of the reciprocal-space sums [1/nm]; 0: none
};

/// E = 4 epsilon (s6² - s6) with s6 = (sigma/r)⁶.
template <class T> [[gnu::always_inline]] inline PairValue<T> lennard_jones(T const& s6, T const& four_epsilon) {
    T const scaled = four_epsilon * s6;
    return {scaled * (s6 - T(1)), scaled * (T(12) * s6 - T(6))};
}

/// `pair` multiplied by the switching function.
template <class T> [[gnu::always_inline]] inline PairValue<T> switched(PairValue<T> const& pair, T const& r, T const& start, T const& inverse_width) {
    using std::max;
    T const t = max((r - start) * inverse_width, T(0));
    T const value = T(1) - t * t * t * (T(10) - t * (T(15) - T(6) * t));
    T const minus_slope = T(30) * t * t * (T(1) - t) * (T(1) - t) * inverse_width;
    return {pair.energy * value, pair.virial * value + r * minus_slope * pair.energy};
}

/// E = qq (1/r + k r² - c), where qq = q1 q2/(4 pi eps0).
template <class T>
[[gnu::always_inline]] inline PairValue<T> coulomb_with_field(T const& qq, T const& inverse_r, T const& r2, T const& k, T const& c) {
    return {qq * (inverse_r + k * r2 - c), qq * (inverse_r - T(2) * k * r2)};
}

/// The direct-space part of an Ewald sum, E = qq erfc(x)/r with x = alpha r, given erfc(x) and exp(-x²).
template <class T>
PairValue<T> screened_coulomb(T const& qq, T const& inverse_r, T const& x, T const& erfc_x, T const& gaussian) {
    T const plain = qq * inverse_r;
    return {plain * erfc_x, plain * (erfc_x + T(2 * std::numbers::inv_sqrtpi) * x * gaussian)};
}

/// Reciprocal-space part of a pair's Coulomb energy, qq erf(x)/r. Below erf(x) = 1e-6 its limit at r = 0, without a
/// force, as in OpenMM.
inline PairValue<double> mesh_coulomb(double qq, double r, double alpha) {
    double const x = alpha * r, erf_x = std::erf(x);
    if (erf_x <= 1e-6) return {qq * 2 * std::numbers::inv_sqrtpi * alpha, 0};
    double const plain = qq / r;
    return {plain * erf_x, plain * (erf_x - 2 * std::numbers::inv_sqrtpi * x * std::exp(-x * x))};
}

/// Reciprocal-space part of dispersion, E = -C6/r⁶ P(u) with P = 1 - exp(-u)(1 + u + u²/2), u = alpha²r² (U. Essmann et
/// al., J. Chem. Phys. 103, 8577 (1995), eq. 5.2), given 1/r⁶, P and exp(-u).
template <class T>
PairValue<T> mesh_dispersion(T const& c6, T const& inverse_r6, T const& u, T const& p, T const& exponential) {
    T const plain = c6 * inverse_r6;
    return {-plain * p, plain * (u * u * u * exponential - T(6) * p)};
}

/// P(u) of `mesh_dispersion`, by a series where the closed form cancels.
inline double mesh_dispersion_fraction(double u, double exponential) {
    if (u > 0.5) return 1 - exponential * (1 + u + u * u / 2);
    double term = u * u * u / 6, sum = 0;
    for (int n = 4; term > 1e-17 * sum; ++n) {
        sum += term;
        term *= u / n;
    }
    return exponential * sum;
}

/// `mesh_dispersion` from r² alone; its limit at r = 0 is -C6 alpha⁶/6.
inline PairValue<double> mesh_dispersion(double c6, double r2, double alpha) {
    double const u = alpha * alpha * r2, exponential = std::exp(-u);
    if (u < 1e-6) return {-c6 * std::pow(alpha, 6) / 6, 0};
    return mesh_dispersion(c6, 1 / (r2 * r2 * r2), u, mesh_dispersion_fraction(u, exponential), exponential);
}

/// Reciprocal-space part of a pair interaction; `product` is of charges or of the roots of C6.
inline PairValue<double> mesh_pair(MeshKind kind, double product, double r2, double alpha) {
    return kind == MeshKind::coulomb ? mesh_coulomb(constants::coulomb * product, std::sqrt(r2), alpha)
                                     : mesh_dispersion(product, r2, alpha);
}

}  // namespace trotter
