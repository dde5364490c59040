// Buffered 14-7 and Lennard-Jones energies of a pair, and their taper at the cutoff.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <type_traits>

namespace trotter::amoeba {

/// Energy of a pair, and its derivative by the distance.
template <class T> struct EnergyAndSlope {
    T energy{}, slope{};
};

/// The seventh power of a number.
template <class T> constexpr T seventh_power(T const& x) {
    T const x2 = x * x;
    return x2 * x2 * x2 * x;
}

/// epsilon 1.07^7/(s + (x + 0.07)^7) (1.12/(s + x^7 + 0.12) - 2), x = r/sigma: T. A. Halgren, J. Am. Chem. Soc. 114,
/// 7827 (1992); softened by s: D. Jiao et al., Proc. Natl. Acad. Sci. USA 105, 6290 (2008), eq. 2.
template <class T>
constexpr EnergyAndSlope<T> buffered_14_7(T const& r, T const& inverse_sigma, T const& epsilon, T const& s) {
    using std::min;
    constexpr double most = std::is_same_v<T, double> ? 1e20 : 300;  // beyond, powers would overflow in double or float
    T const x = min(T(r * inverse_sigma), T(most)), y = x + T(0.07);
    T const x2 = x * x, x6 = x2 * x2 * x2, y2 = y * y, y6 = y2 * y2 * y2;
    T const p = s + y6 * y, q = s + x6 * x + T(0.12), inverse = T(1) / (p * q);
    T const repulsion = q * inverse, attraction = p * inverse;  // 1/p, 1/q
    T const first = epsilon * seventh_power(T(1.07)) * repulsion, ratio = T(1.12) * attraction, second = ratio - T(2);
    return {first * second, T(-7) * first * (y6 * repulsion * second + x6 * attraction * ratio) * inverse_sigma};
}

/// 4 epsilon ((sigma/r)^12 - (sigma/r)^6).
template <class T> constexpr EnergyAndSlope<T> lennard_jones(T const& r, T const& sigma, T const& epsilon) {
    T const q = sigma / r, q2 = q * q, q6 = q2 * q2 * q2;
    return {T(4) * epsilon * (q6 * q6 - q6), T(-24) * epsilon * (T(2) * q6 * q6 - q6) / r};
}

/// The polynomial 1 - 10t³ + 15t⁴ - 6t⁵ between 0.9 of the cutoff (t = 0) and the cutoff (t = 1).
template <class T> class Taper {
public:
    /// `cutoff` in nm.
    constexpr explicit Taper(T const& cutoff) : begin_(T(0.9) * cutoff), per_width_(T(1) / (cutoff - begin_)) {}

    /// Where it begins [nm].
    constexpr T begin() const { return begin_; }
    /// Multiplies an energy at the distance `r`. Sites of particles within the cutoff may be beyond it, where the
    /// polynomial continues.
    constexpr EnergyAndSlope<T> operator()(EnergyAndSlope<T> const& value, T const& r) const {
        using std::max;
        T const t = max(T((r - begin_) * per_width_), T(0)), u = T(1) - t;
        T const weight = T(1) - t * t * t * (T(10) - t * (T(15) - T(6) * t)),
                slope = T(-30) * t * t * u * u * per_width_;
        return {value.energy * weight, value.slope * weight + value.energy * slope};
    }

private:
    T begin_, per_width_;
};

}  // namespace trotter::amoeba
