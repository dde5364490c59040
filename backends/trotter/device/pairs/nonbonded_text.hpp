// Lennard-Jones and Coulomb of pairs as device text.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/physics/pair_energies.hpp>

namespace trotter::device {

/// Text for pairs whose particles have the parameter `site`: charge times √(1/4 pi eps0), sigma/2, 2√epsilon and the
/// charge of the mesh's dispersion. Without charges, pairs have none of their interactions.
std::string nonbonded_pair_text(DirectSpace const& space, bool is_double, bool has_charges);

}  // namespace trotter::device
