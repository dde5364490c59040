// Places the heavy atoms that residues lack.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <trotter/app/structure.hpp>
#include <vector>

namespace trotter::app {

/// Places the atoms whose entry in `is_new` is true, by the geometry of ideal residues: torsions that no present atom
/// determines take the usual values where the atoms come closest to no other. All others keep their places. The same
/// from run to run. Appends a warning for each atom that stays closer than 0.2 nm to one that it is not bonded to.
/// Throws InputError for a residue with too few atoms to place the others.
void place_heavy_atoms(Structure& structure, std::vector<bool> const& is_new, std::vector<std::string>& warnings);

}  // namespace trotter::app
