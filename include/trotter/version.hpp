// The version of Trotter.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

/// Molecular simulation with the forces, integrators and files of OpenMM. Units: nm, ps, amu, e, kJ/mol, K, radian, bar
namespace trotter {

inline constexpr int version_major = 0, version_minor = 1, version_patch = 0;  ///< semantic versioning
inline constexpr std::string_view version = "0.1.0";  ///< as major.minor.patch

}  // namespace trotter
