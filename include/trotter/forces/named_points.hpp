// Functions of particles by their names in formulas: what they are in functions of coordinates.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/forces/point_functions.hpp>

namespace trotter {

/// The names of the coordinates of a point that formulas call by one name; none where there is no such point.
using CoordinatesOf = std::function<std::optional<std::array<std::string, 3>>(std::string_view name)>;

/// Points p1 to p`count`, if `letter` is p, whose coordinates are x1, y1, z1, …
CoordinatesOf numbered_points(char letter, int count);

/// A formula in which particle functions are point functions of the points' coordinates. A point may be called by
/// another name that the formula defines. Throws InputError that lists `expected` for what is no point; functions of
/// the names in `others` stay as they are.
std::string with_point_functions(std::string_view formula, CoordinatesOf const& coordinates_of,
                                 std::string const& expected,
                                 std::vector<expression::CustomFunction> const& others = {});

}  // namespace trotter
