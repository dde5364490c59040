// Generates kernel source for Lennard-Jones and Coulomb pair interactions.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/physics/pair_energies.hpp>

namespace trotter::device {

/// Pair source; the per-particle parameter `site` has charge times √(1/4 pi eps0), sigma/2, 2√epsilon and the
/// dispersion charge of the mesh. Without charges, Coulomb interactions are omitted.
std::string nonbonded_pair_text(DirectSpace const& space, bool is_double, bool has_charges);

}  // namespace trotter::device
