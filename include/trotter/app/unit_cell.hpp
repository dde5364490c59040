// Boxes by lengths and angles, as files of structures write them.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>

#include <trotter/box.hpp>

namespace trotter::app {

/// Edges of a box and the angles between them.
struct UnitCell {
    std::array<double, 3> lengths{};  ///< of a, b and c [nm]
    std::array<double, 3> angles{};   ///< alpha (b, c), beta (c, a) and gamma (a, b) [degrees]
};

/// Vectors in reduced form with the rounding of OpenMM (components below 1e-6 nm become 0, halves are rounded to even).
/// Nothing if no such box exists: lengths or angles out of range or not finite.
std::optional<Box> box_from_cell(UnitCell const& cell);

/// Lengths and angles of a box.
UnitCell cell_of(Box const& box);

}  // namespace trotter::app
