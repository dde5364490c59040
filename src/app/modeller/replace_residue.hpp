// What stays of a residue that becomes another.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/modeller/edit_residues.hpp"

namespace trotter::app {

/// The edit that makes a residue another one, whose geometry must be known. Atoms stay that have the same name, the
/// same bonds and, with the bonds of their neighbors, the same geometry in both; of MSE the selenium becomes the
/// sulfur. Hydrogens are dropped. Nothing is added yet.
ResidueEdit replacement(Structure const& structure, int residue, std::string const& name);

}  // namespace trotter::app
