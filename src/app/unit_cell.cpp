// SPDX-License-Identifier: MIT
#include <trotter/app/unit_cell.hpp>

#include <cmath>
#include <numbers>

namespace trotter::app {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

double zero_if_tiny(double component) { return std::abs(component) < 1e-6 ? 0.0 : component; }

/// The nearest whole number, of two the even one.
double nearest_even(double value) { return std::nearbyint(value); }

}  // namespace

std::optional<Box> box_from_cell(UnitCell const& cell) {
    auto const [length_a, length_b, length_c] = cell.lengths;
    double const alpha = cell.angles[0] * degree, beta = cell.angles[1] * degree, gamma = cell.angles[2] * degree;
    double const cx = length_c * std::cos(beta);
    double const cy = length_c * (std::cos(alpha) - std::cos(beta) * std::cos(gamma)) / std::sin(gamma);
    double const cz = std::sqrt(length_c * length_c - cx * cx - cy * cy);
    Vec3<> const a{zero_if_tiny(length_a), 0, 0};
    Vec3<> b{zero_if_tiny(length_b * std::cos(gamma)), zero_if_tiny(length_b * std::sin(gamma)), 0};
    Vec3<> c{zero_if_tiny(cx), zero_if_tiny(cy), zero_if_tiny(cz)};
    if (!(a.x > 0 && b.y > 0 && c.z > 0)) return {};  // NaN too
    c -= b * nearest_even(c.y / b.y);
    c -= a * nearest_even(c.x / a.x);
    b -= a * nearest_even(b.x / a.x);
    for (double const component : {a.x, b.x, b.y, c.x, c.y, c.z})
        if (!std::isfinite(component)) return {};
    return Box{a, b, c};
}

UnitCell cell_of(Box const& box) {
    auto const length = [](Vec3<> const& v) { return std::sqrt(dot(v, v)); };
    double const a = length(box.a), b = length(box.b), c = length(box.c);
    auto const angle = [](Vec3<> const& u, Vec3<> const& v, double product) { return std::acos(dot(u, v) / product) / degree; };
    return {{a, b, c}, {angle(box.b, box.c, b * c), angle(box.c, box.a, c * a), angle(box.a, box.b, a * b)}};
}

}  // namespace trotter::app
