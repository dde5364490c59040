// Changes the atoms of residues, and the ends of chains.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <set>
#include <string>
#include <trotter/app/structure.hpp>
#include <trotter/app/structure/standard_bonds.hpp>
#include <vector>

namespace trotter::app {

/// What is to become of a residue.
struct ResidueEdit {
    std::string name{};                    ///< the new one; empty: it stays
    std::set<int> dropped{};               ///< indices of atoms
    std::map<int, std::string> renamed{};  ///< indices of atoms; the new name tells the element, too
    std::vector<std::string> added{};      ///< names of heavy atoms, which go behind the others
    bool is_capped_before = false;         ///< whether ACE is put in front of it
    bool is_capped_behind = false;         ///< whether NME is put behind it
    bool ends_chain = false;               ///< whether what follows is another chain
};

/// A structure, and which of its atoms are new and have no place yet.
struct EditedStructure {
    Structure structure;
    std::vector<bool> is_new;
};

/// The structure with its residues changed. A residue behind which something is put or a chain ends has no bond to the
/// one that followed; standard bonds are added. Caps get the next number that is free in their chain, or else an
/// insertion code.
EditedStructure edit_residues(Structure const& structure, std::map<int, ResidueEdit> const& edits,
                              StandardBonds const& bonds);

/// Drops the hydrogens of a residue at atoms that the added ones will be bonded to.
void drop_hydrogens_at_added(ResidueEdit& edit, Structure const& structure, int residue, StandardBonds const& bonds,
                             std::vector<std::vector<int>> const& bonded);

}  // namespace trotter::app
