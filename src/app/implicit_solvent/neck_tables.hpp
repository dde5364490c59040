// Tables of the neck correction of GBn and GBn2.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

namespace trotter::app {

/// Radii of each axis: 0.1 to 0.2 nm in steps of 0.005.
inline constexpr std::size_t neck_table_size = 21;

/// Distance of two spheres at which the neck between them is deepest [nm].
double neck_distance(std::size_t row, std::size_t column);
/// The neck's part of the Born integral at that distance [1/nm].
double neck_depth(std::size_t row, std::size_t column);

}  // namespace trotter::app
