// The formulas of smooth particle mesh Ewald: B-splines and influence functions.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Order of the cardinal B-splines M_5 (U. Essmann, L. Perera, M. L. Berkowitz, T. Darden, H. Lee, L. G. Pedersen, J.
/// Chem. Phys. 103, 8577 (1995)).
inline constexpr std::size_t spline_order = 5;

/// Weights of mesh points n, n+1, …, n+4 for a particle at n + w, and their derivatives by w.
template <class T> struct SplineWeights {
    std::array<T, spline_order> value{},  ///< M_5 at the five points
        slope{};                          ///< derivatives by w
};

/// Returns M_5(w + 4 - j) for point n+j: Essmann eq. 4.1, M_n(u) = (u M_{n-1}(u) + (n-u) M_{n-1}(u-1))/(n-1), from
/// order 2 up.
template <class T> SplineWeights<T> spline_weights(T const& w) {
    auto number = [](std::size_t n) { return static_cast<T>(static_cast<int>(n)); };
    SplineWeights<T> result;
    auto& m = result.value;
    m[0] = T(1) - w;
    m[1] = w;
    for (std::size_t n = 3; n <= spline_order; ++n) {
        if (n == spline_order) {
            result.slope[0] = -m[0];
            for (std::size_t j = 1; j < n; ++j) result.slope[j] = m[j - 1] - m[j];
        }
        T const inverse = T(1) / number(n - 1);
        for (std::size_t j = n - 1; j > 0; --j)
            m[j] = ((w + number(n - 1 - j)) * m[j - 1] + (number(j + 1) - w) * m[j]) * inverse;
        m[0] = (T(1) - w) * m[0] * inverse;
    }
    return result;
}

/// Returns |Σ_j M_5(j+1) exp(2 pi i m j/size)|² for m = 0 … size-1, the factor of squared structure factors due to
/// spreading. It vanishes at m = size/2 for odd orders and is replaced by the mean of its neighbours, as in OpenMM.
inline std::vector<double> spline_moduli(int size) {
    constexpr std::array<double, spline_order - 1> at_integers{1.0 / 24, 11.0 / 24, 11.0 / 24, 1.0 / 24};
    std::vector<double> result;
    for (int m = 0; m < size; ++m) {
        double real = 0, imaginary = 0;
        for (std::size_t j = 0; j < at_integers.size(); ++j) {
            double const angle = 2 * std::numbers::pi * m * static_cast<double>(j) / size;
            real += at_integers[j] * std::cos(angle);
            imaginary += at_integers[j] * std::sin(angle);
        }
        result.push_back(real * real + imaginary * imaginary);
    }
    if (auto const middle = static_cast<std::size_t>(size) / 2; size % 2 == 0)
        result[middle] = (result[middle - 1] + result[middle + 1]) / 2;
    return result;
}

/// Interaction of a reciprocal-space sum: charges, or dispersion, where C6 of a pair is a product of per-particle
/// factors.
enum class MeshKind { coulomb, dispersion };

/// Coulomb influence function: E = ½ Σ_m psi(m²)|S(m)|² over the wave vectors m of the box (without 2 pi), with psi =
/// exp(-pi² m²/alpha²)/(4 pi eps0 · pi V m²), and 0 at m = 0, which is not a valid argument here.
template <class T> T coulomb_influence_beyond_zero(T const& m2, double alpha, T const& volume) {
    using std::exp;
    constexpr double pi = std::numbers::pi;
    return constants::coulomb / (pi * volume * m2) * exp(-pi * pi * m2 / (alpha * alpha));
}
/// `coulomb_influence_beyond_zero`, and 0 at m = 0 [kJ/mol/e²].
inline double coulomb_influence(double m2, double alpha, double volume) {
    return m2 == 0 ? 0 : coulomb_influence_beyond_zero(m2, alpha, volume);
}

/// Dispersion influence function, with S of the dispersion charges: Essmann eq. 5.4, psi = -pi^(3/2) alpha³/(3 V) ((1 -
/// 2b²) exp(-b²) + 2b³ √pi erfc(b)) with b = pi |m|/alpha.
template <class T> T dispersion_influence_of(T const& m2, double alpha, T const& volume) {
    using std::erfc;
    using std::exp;
    using std::sqrt;
    constexpr double pi = std::numbers::pi;
    double const root_pi = std::sqrt(pi);
    T const b2 = pi * pi * m2 / (alpha * alpha), b = sqrt(b2);
    T const shape = (1 - 2 * b2) * exp(-b2) + 2 * b2 * b * root_pi * erfc(b);
    return -pi * root_pi * alpha * alpha * alpha / (3 * volume) * shape;
}
/// `dispersion_influence_of` in double; times C6 it gives kJ/mol.
inline double dispersion_influence(double m2, double alpha, double volume) {
    return dispersion_influence_of(m2, alpha, volume);
}

/// Derivative of `coulomb_influence` by m², for the reciprocal-space virial.
inline double coulomb_influence_slope(double m2, double alpha, double volume) {
    constexpr double pi = std::numbers::pi;
    return m2 == 0 ? 0 : -coulomb_influence_beyond_zero(m2, alpha, volume) * (1 / m2 + pi * pi / (alpha * alpha));
}
/// Derivative of `dispersion_influence` by m²; by u = b² its shape has the slope 3 (b √pi erfc(b) - exp(-u)).
inline double dispersion_influence_slope(double m2, double alpha, double volume) {
    constexpr double pi = std::numbers::pi;
    double const root_pi = std::sqrt(pi), b = pi * std::sqrt(m2) / alpha;
    return -pi * root_pi * alpha * pi * pi / volume * (b * root_pi * std::erfc(b) - std::exp(-b * b));
}

/// Multiplier of the transformed mesh at index (x, y, z). In a triclinic box the two Nyquist wave vectors of an axis
/// with an even number of points differ; their mean is used, so that the potential is real.
class MeshInfluence {
public:
    /// Influence function: m² [1/nm²], alpha [1/nm], volume [nm³].
    using Formula = double (*)(double m2, double alpha, double volume);

    /// Precomputes the B-spline moduli along each axis.
    MeshInfluence(MeshSettings const& mesh, Box const& box, Formula formula)
        : size_{mesh.nx, mesh.ny, mesh.nz}, alpha_(mesh.alpha), box_(box), volume_(box.volume()), formula_(formula) {
        for (std::size_t axis = 0; axis < 3; ++axis) moduli_[axis] = spline_moduli(size_[axis]);
    }

    /// Value at (x, y, z) of a quantity `of(m)` of wave vectors m, divided by the spline moduli.
    template <class Quantity> auto mean_of_waves(int x, int y, int z, Quantity const& of) const {
        bool const at_end = 2 * x == size_[0] || 2 * y == size_[1] || 2 * z == size_[2];
        auto const at_wave = [&](int kx, int ky, int kz) {
            return of(box_.reciprocal({double(kx), double(ky), double(kz)}));
        };
        auto const one = at_wave(wave(x, 0), wave(y, 1), wave(z, 2));
        auto const mean = at_end ? (one + at_wave(opposite(x, 0), opposite(y, 1), opposite(z, 2))) / 2 : one;
        auto modulus = [&](int n, std::size_t axis) { return moduli_[axis][static_cast<std::size_t>(n)]; };
        return mean / (modulus(x, 0) * modulus(y, 1) * modulus(z, 2));
    }
    /// Value of the influence function at (x, y, z).
    double operator()(int x, int y, int z) const {
        return mean_of_waves(x, y, z, [this](Vec3<> const& m) { return formula_(dot(m, m), alpha_, volume_); });
    }

private:
    int wave(int n, std::size_t axis) const { return 2 * n < size_[axis] ? n : n - size_[axis]; }
    int opposite(int n, std::size_t axis) const { return wave(n == 0 ? 0 : size_[axis] - n, axis); }

    std::array<int, 3> size_;
    double alpha_;
    Box box_;
    double volume_;
    Formula formula_;
    std::array<std::vector<double>, 3> moduli_;
};

/// The influence function of a kind of sum.
inline MeshInfluence::Formula influence_of(MeshKind kind) {
    return kind == MeshKind::coulomb ? coulomb_influence : dispersion_influence;
}
/// The derivative of `influence_of(kind)` by m².
inline MeshInfluence::Formula influence_slope_of(MeshKind kind) {
    return kind == MeshKind::coulomb ? coulomb_influence_slope : dispersion_influence_slope;
}

}  // namespace trotter
