// Writes NumPy arrays.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <trotter/vec3.hpp>

namespace trotter {

/// Writes a `.npy` file of float64, shape (particles, 3), little-endian, C order. Throws OutputError.
void write_npy(std::string const& path, std::span<Vec3<double> const> vectors);

}  // namespace trotter
