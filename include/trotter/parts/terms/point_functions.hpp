// Distance and angle functions for formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <trotter/expression/operation.hpp>
#include <trotter/parts/terms/variables.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// pointdistance(x1, y1, z1, x2, …), pointangle(…) and pointdihedral(…): of two, three and four points [nm, radian].
std::vector<expression::CustomFunction> point_functions();
/// The same functions of particle names: distance(p1, p2), angle(p1, p2, p3), dihedral(p1, p2, p3, p4).
std::vector<expression::CustomFunction> particle_functions();
/// Tabulated functions, followed by both.
std::vector<expression::CustomFunction> geometric_functions(std::vector<TabulatedFunction> const& tables = {});

/// Returns the value of the point function of this number and writes its derivatives by the operands, which are finite
/// everywhere, to `slopes`. Uses minimum images if `geometry.is_periodic`. Nine more operands, whose values are
/// ignored, request the derivatives by a strain of the box alone, row by row.
template <class T, class Geometry>
T call_point_function(int number, std::span<T const> operands, std::span<T> slopes, Geometry const& geometry) {
    auto const own_difference = [&](int i, int j) {
        auto const at = [&](int n, std::size_t axis) -> T const& {
            return operands[3 * static_cast<std::size_t>(n) + axis];
        };
        return Vec3<T>{at(i, 0) - at(j, 0), at(i, 1) - at(j, 1), at(i, 2) - at(j, 2)};
    };
    auto const difference = [&](int i, int j) {
        Vec3<T> const d = own_difference(i, j);
        return geometry.is_periodic ? geometry.nearest_image(d) : d;
    };
    auto const value_of = [&](auto const& variable) {
        auto const variation = variable.template vary<T>(difference);
        std::size_t const coordinates = 3 * variation.gradient.size();
        for (std::size_t n = 0; n < coordinates; ++n) slopes[n] = variation.gradient[n / 3][n % 3];
        if constexpr (std::is_same_v<T, double>)
            if (slopes.size() > coordinates) {
                auto const by_strain = image_slopes(
                    variation.gradient, [&](int i, int j) { return difference(i, j) - own_difference(i, j); });
                for (std::size_t n = 0; n < 9; ++n) slopes[coordinates + n] = by_strain[n / 3][n % 3];
            }
        return variation.value;
    };
    if (number == 0) return value_of(Distance{"", {0, 1}});
    if (number == 1) return value_of(Angle{"", {0, 1, 2}});
    return value_of(Dihedral{"", {0, 1, 2, 3}});
}

}  // namespace trotter
