// The formulas of particle mesh Ewald as device text.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/device/text/traced.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>

namespace trotter::device {

/// Charges on devices hold the factor sqrt(1/(4 pi eps0)). A function influence(m2, volume) for wave vectors that are not 0, and influence_at_zero(volume).
std::string influence_text(MeshKind kind, double alpha, std::string const& suffix);

/// A function spline(w, value, slope).
std::string spline_text(std::string const& suffix);

/// A term that takes from an excluded pair what reciprocal space holds of it; the particles' charges are an array of
/// this name.
std::string excluded_pair_text(ReciprocalCharges const& stated, std::string const& charges, bool is_double);

}  // namespace trotter::device
