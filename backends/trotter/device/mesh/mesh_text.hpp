// Generates kernel source from the formulas of particle mesh Ewald.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/device/text/traced.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>

namespace trotter::device {

/// Functions influence(m2, volume), for nonzero wave vectors, and influence_at_zero(volume). Charges on devices include
/// the factor sqrt(1/(4 pi eps0)).
std::string influence_text(MeshKind kind, double alpha, std::string const& suffix);

/// A function spline(w, value, slope).
std::string spline_text(std::string const& suffix);

/// A term that subtracts the reciprocal-space interaction of an excluded pair; `charges` is the name of the charge
/// array.
std::string excluded_pair_text(ReciprocalCharges const& stated, std::string const& charges, bool is_double);

}  // namespace trotter::device
