// Tabulated constants of neck integrals.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace trotter::amoeba {

inline constexpr std::size_t neck_radii = 45;  ///< of the table, from 0.8 to 3 angstroms

extern std::array<std::int32_t, neck_radii * neck_radii> const neck_strengths;  ///< A [1e-10 per angstrom^11]
extern std::array<std::int8_t, neck_radii * neck_radii> const neck_distances;   ///< B [0.05 angstroms]

}  // namespace trotter::amoeba
