// Integrals of 1/r⁶ over the solute, and Born radii from these.
// SPDX-License-Identifier: MIT
#include "born_radii.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <trotter/amoeba/multipoles/dual.hpp>

#include "direct_space.hpp"
#include "neck_table.hpp"

namespace trotter::amoeba {
namespace {

constexpr double largest_radius = 3, unit_volume = 4 * std::numbers::pi / 3;

/// Integral over the part of a sphere of radius `sphere` at distance r that is beyond `start`, times 3/(4 pi) (T.
/// Grycuk, J. Chem. Phys. 119, 4817 (2003), eq. 27, with the cases of engulfed atoms).
template <class T> T sphere_integral(T const& r, double start, double sphere) {
    T const s{sphere}, r2 = r * r, s2 = s * s;
    double const distance = value_of(r);
    auto antiderivative = [&](T const& u) {
        T const u2 = u * u;
        return (T(3) * (r2 - s2) + T(6) * u2 - T(8) * u * r) / (u2 * u2 * r);
    };
    if (start > distance + sphere) return T(0);
    bool const is_inside = start + distance < sphere;
    T const lower = is_inside ? s - r : distance < start + sphere ? T(start) : r - s;
    T result = (antiderivative(r + s) - antiderivative(lower)) * T(1.0 / 16);
    if (is_inside) result -= T(1) / (lower * lower * lower) - T(1 / (start * start * start));
    return result;
}

/// Interpolates a table of pairs of radii, linearly; beyond its ends it continues the last intervals. In single
/// precision, as its entries are in OpenMM.
struct NeckPlace {
    NeckPlace(double radius) {
        double const angstroms = 10 * radius, index = std::floor((angstroms - 0.8) / 0.05);
        if (!(index >= 0))
            low = 0, high = 1;
        else if (index + 1 >= static_cast<double>(neck_radii))
            low = neck_radii - 1, high = neck_radii - 2;
        else
            low = static_cast<std::size_t>(index), high = low + 1;
        double const at_low = static_cast<float>((16 + static_cast<double>(low)) / 20),
                     at_high = static_cast<float>((16 + static_cast<double>(high)) / 20);
        of_low = (at_high - angstroms) / (at_high - at_low);
        of_high = (angstroms - at_low) / (at_high - at_low);
    }
    std::size_t low, high;
    double of_low, of_high;
};
template <class Table> double interpolated(Table const& table, double unit, NeckPlace const& i, NeckPlace const& j) {
    auto at = [&](std::size_t row, std::size_t column) {
        return static_cast<double>(static_cast<float>(table[row * neck_radii + column] / unit));
    };
    return j.of_low * (i.of_low * at(i.low, j.low) + i.of_high * at(i.high, j.low))
           + j.of_high * (i.of_low * at(i.low, j.high) + i.of_high * at(i.high, j.high));
}

/// A (r - B)⁴ (a + b + 2 probe - r)⁴ (B. Aguilar, R. Shadrach, A. V. Onufriev, J. Chem. Theory Comput. 6, 3613 (2010)).
template <class T> T neck_integral(T const& r, double start, double other, double scale) {
    constexpr double probe = 0.14;
    double const reach = start + other + 2 * probe;
    if (value_of(r) > reach) return T(0);
    NeckPlace const i(start), j(other);
    double const strength = 1e11 * std::max(0.0, interpolated(neck_strengths, 1e10, i, j)),
                 distance = 0.1 * interpolated(neck_distances, 20, i, j);
    T const inner = r - T(distance), outer = T(reach) - r, product = inner * outer, square = product * product;
    return square * square * T(scale * strength);
}

}  // namespace

BornRadii::BornRadii(AmoebaGeneralizedKirkwoodForce const& force) : force_(force) {
    for (auto const& particle : force.particles) {
        starts_.push_back(std::max(particle.radius, particle.descreen_radius) + force.descreen_offset);
        spheres_.push_back(particle.descreen_radius * particle.scale_factor);
    }
    radii_.assign(force.particles.size(), largest_radius);
    slopes_.assign(force.particles.size(), 0);
}

template <class T> T BornRadii::integral(std::size_t i, std::size_t j, T const& r) const {
    auto const &own = force_.particles[i], &other = force_.particles[j];
    if (own.radius <= 0 || starts_[i] <= 0 || spheres_[j] <= 0 || starts_[i] > value_of(r) + spheres_[j]) return T(0);
    T result = sphere_integral(r, starts_[i], spheres_[j]);
    if (double const scale = 0.5 * (own.neck_factor + other.neck_factor); scale > 0)
        result += neck_integral(r, starts_[i], other.descreen_radius, scale);
    return result * T(unit_volume);
}

// a = (1/ρ³ - I)^(-1/3), where I may be rescaled to (1/ρ³ - 1/a_max³) tanh(b0 x - b1 x² + b2 x³), x = ρ³ 4pi/3 I;
// between ρ and the largest radius.
template <class T> T BornRadii::radius_of(std::size_t i, T const& integral) const {
    using std::exp;
    using std::tanh;
    double const base = force_.particles[i].radius, cube = base * base * base;
    if (base <= 0) return T(largest_radius);
    T inner = integral;
    if (force_.tanh_rescaling) {
        T const x = integral * T(cube);
        inner = T(unit_volume * (1 / cube - 1 / (largest_radius * largest_radius * largest_radius)))
                * tanh(x * (T(force_.tanh_b0) - x * (T(force_.tanh_b1) - x * T(force_.tanh_b2))));
    }
    T const inverse_cube = (T(unit_volume / cube) - inner) * T(1 / unit_volume);
    if (value_of(inverse_cube) <= 0) return T(largest_radius);
    double const value = std::cbrt(1 / value_of(inverse_cube));
    if (value > largest_radius) return T(largest_radius);
    if (value < base) return T(base);
    if constexpr (std::is_same_v<T, double>)
        return value;
    else
        return T::function(inverse_cube, value, -value / (3 * inverse_cube.value));
}

void BornRadii::place(std::vector<Vec3<>> const& positions, Threads& threads) {
    for_each_site(threads, positions.size(), [&](std::size_t i) {
        double sum = 0;
        for (std::size_t j = 0; j < positions.size(); ++j)
            if (j != i) sum += integral(i, j, norm(positions[j] - positions[i]));
        auto const radius = radius_of(i, Dual<1>::variable(sum, 0));
        radii_[i] = radius.value;
        slopes_[i] = radius.slope[0];
    });
}

void BornRadii::add_gradient(std::vector<double> const& by_radii, std::vector<Vec3<>> const& positions,
                             std::vector<Vec3<>>& by_positions, Threads& threads) const {
    for_each_site(threads, positions.size(), [&](std::size_t i) {
        for (std::size_t j = 0; j < positions.size(); ++j) {
            if (j == i) continue;
            Vec3<> const d = positions[i] - positions[j];
            auto const r = Dual<1>::variable(norm(d), 0);
            double const slope = by_radii[i] * slopes_[i] * integral(i, j, r).slope[0]
                                 + by_radii[j] * slopes_[j] * integral(j, i, r).slope[0];
            by_positions[i] += d * (slope / r.value);
        }
    });
}

}  // namespace trotter::amoeba
