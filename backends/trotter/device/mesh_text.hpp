// The formulas of particle mesh Ewald as device text.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/device/traced.hpp>
#include <trotter/forces/particle_mesh.hpp>

namespace trotter::device {

/// What a mesh sums: charges that hold the factor sqrt(1/(4 pi eps0)), or those of dispersion, 2 sqrt(epsilon) sigma³.
enum class MeshKind { coulomb, dispersion };

/// A function influence(m2, volume) for wave vectors that are not 0, and influence_at_zero(volume).
std::string influence_text(MeshKind kind, double alpha, std::string const& suffix);

/// A function spline(w, value, slope).
std::string spline_text(std::string const& suffix);

}  // namespace trotter::device
