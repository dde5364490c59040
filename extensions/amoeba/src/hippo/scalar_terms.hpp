// Dispersion and charge transfer of a pair: functions of the distance.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <trotter/amoeba/hippo/damping.hpp>
#include <trotter/amoeba/hippo_nonbonded.hpp>

namespace trotter::amoeba::hippo {

/// An energy and its derivative by the distance.
template <class T = double> struct Radial {
    T energy{}, slope{};

    friend Radial operator*(Radial const& a, Radial const& b) {
        return {a.energy * b.energy, a.energy * b.slope + a.slope * b.energy};
    }
};

/// Switching function of repulsion and charge transfer: 1 - 10t³ + 15t⁴ - 6t⁵ from the switching distance to the
/// cutoff.
struct Switch {
    double start = 0, end = 0;  ///< [nm]; none unless start < end

    template <class T> Radial<T> operator()(T const& r) const {
        using std::max;
        if (!(start < end)) return {T(1), T(0)};
        T const width = T(end - start), t = max(T((r - T(start)) / width), T(0));
        return {T(1) + t * t * t * (T(-10) + t * (T(15) - T(6) * t)),
                t * t * (T(-30) + t * (T(60) - T(30) * t)) / width};
    }
};

/// -C6 s λ²/r⁶ with λ = (3 λ5 - λ3)/2, where λ_n are the factors of 1/r^n in the overlap of two electrons (J. A.
/// Rackers, C. Liu, P. Ren, J. W. Ponder, J. Chem. Phys. 149, 084115 (2018)). With a mesh of splitting parameter
/// `alpha`, it is -C6 (s λ² - 1 + (1 + x + x²/2) exp(-x))/r⁶, x = alpha² r² (U. Essmann et al., J. Chem. Phys. 103,
/// 8577 (1995)).
template <class T>
Radial<T> dispersion(T const& c6, RadialFunctions<T> const& taken, T const& scale, double alpha, T const& r) {
    using std::exp;
    T const r2 = r * r, r3 = r2 * r, r6 = r3 * r3;
    // λ3 = 1 - r³ b_1 and λ5 = 1 - r⁵ b_2/3, where b are the functions that penetration takes from 1/r.
    auto const& b = taken.b;
    T const damped = T(1) - (b[2] * r2 - b[1]) * r3 * T(0.5);
    T const damped_slope = -(T(6) * b[2] * r2 - b[3] * r2 * r2 - T(3) * b[1]) * r2 * T(0.5);
    Radial<T> inner{scale * damped * damped, T(2) * scale * damped * damped_slope};
    if (alpha > 0) {
        T const x = T(alpha * alpha) * r2, e = exp(-x);
        inner.energy += (T(1) + x + x * x * T(0.5)) * e - T(1);
        inner.slope -= x * x * x * e / r;
    }
    return inner * Radial<T>{-c6 / r6, T(6) * c6 / (r6 * r)};
}

/// -ε_1 exp(-η_2 r) - ε_2 exp(-η_1 r).
template <class Particle, class T> Radial<T> charge_transfer(Particle const& p1, Particle const& p2, T const& r) {
    using std::exp;
    T const term1 = p1.epsilon * exp(-p2.damping * r), term2 = p2.epsilon * exp(-p1.damping * r);
    return {-(term1 + term2), term1 * p2.damping + term2 * p1.damping};
}

}  // namespace trotter::amoeba::hippo
