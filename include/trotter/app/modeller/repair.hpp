// Completes what an experiment did not see.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/structure.hpp>
#include <trotter/app/structure/read_structure.hpp>
#include <trotter/app/structure/standard_bonds.hpp>

namespace trotter::app {

/// What becomes of the two sides of a gap in a chain.
enum class Gaps {
    cap,          ///< NME and ACE; a gap in a nucleic acid is broken
    break_chain,  ///< the chain ends, with OXT, and another of the same name begins
    refuse        ///< InputError
};

/// Options of repair.
struct RepairOptions {
    Gaps gaps = Gaps::cap;                             ///< what to do about them
    bool replaces_nonstandard = false;                 ///< whether MSE becomes MET, and so on
    std::vector<PolymerSequence> sequences{};          ///< that the file declares, as read_structure_file gives them
    std::vector<ModifiedResidue> modified_residues{};  ///< likewise
};

/// The structure with the heavy atoms that its standard residues lack, which are those that find_missing finds, and
/// with OXT at ends of chains. They stand behind the other atoms of their residue, placed by ideal geometry and the
/// usual rotamers, where they come closest to no other atom; nothing else moves, and the result is the same from run to
/// run. Hydrogens at atoms that get new neighbors are taken away: add_hydrogens puts them in.
///
/// There is a gap between two residues of a chain where C and N (O3' and P) are more than 0.25 nm apart. Residues that
/// are missing altogether are not built, neither in gaps nor at ends. Warnings tell of amino acids that are not L, of
/// cis peptide bonds but those of proline, and of clashes that could not be avoided. Throws InputError for gaps that
/// are to be refused, and for a residue with too few atoms to place the others.
Structure repair(Structure const& structure, StandardBonds const& bonds, RepairOptions const& options = {},
                 ChangeLog* log = nullptr);

}  // namespace trotter::app
