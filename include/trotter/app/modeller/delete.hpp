// Steps that take residues away.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/structure.hpp>

namespace trotter::app {

/// The structure without the atoms whose entry in `is_deleted` is true, and without their bonds. Residues and chains
/// that have no atom left vanish, as in OpenMM's Modeller. Throws InputError unless there is an entry for each atom.
Structure delete_atoms(Structure const& structure, std::vector<bool> const& is_deleted);

/// The structure without these residues, given by their indices. Throws InputError for an index that no residue has.
Structure delete_residues(Structure const& structure, std::vector<int> const& residues, ChangeLog* log = nullptr);

///@{
/// The structure with these atoms alone, or without them, given by their indices in any order; the others stay in the
/// order of the structure. Throws InputError for an index that no atom has.
Structure keep_atoms(Structure const& structure, std::vector<int> const& atoms, ChangeLog* log = nullptr);
Structure remove_atoms(Structure const& structure, std::vector<int> const& atoms, ChangeLog* log = nullptr);
///@}

/// The structure without the residues called HOH; ions stay.
Structure delete_water(Structure const& structure, ChangeLog* log = nullptr);

}  // namespace trotter::app
