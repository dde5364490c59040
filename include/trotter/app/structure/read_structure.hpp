// Structures from PDB and mmCIF files.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <trotter/app/structure.hpp>

namespace trotter::app {

/// Which of an atom's alternate locations is taken.
enum class AlternateLocation {
    first,     ///< the first in the file, as OpenMM does
    occupancy  ///< of each residue those with the highest mean occupancy, the first of equal ones
};

/// Options of read_structure.
struct ReadStructureOptions {
    AlternateLocation alternate_location = AlternateLocation::first;  ///< of atoms that have several
    /// Beyond OpenMM: no bond over a gap in a chain; and of mmCIF files, bonds of struct_conn also where the letters of
    /// author and label differ, disulfides by distance where it lists none, and all hetero atoms that have alternates.
    bool all_bonds = false;
    bool more_names = false;                           ///< beyond OpenMM: names of ResidueNames::add_more, too
    int model = 1;                                     ///< counted from 1 in the order of the file
    std::vector<std::string> data_folders{};           ///< searched for `pdbNames.xml` and `residues.xml`
    std::uint64_t max_bytes = std::uint64_t{8} << 30;  ///< limit on the expanded size of the file
};

/// Residues of a polymer as the file declares them, those without atoms included.
struct PolymerSequence {
    std::string chain;                                         ///< id of its chain
    std::shared_ptr<std::vector<std::string> const> residues;  ///< names as the file writes them; chains may share them
};

/// A residue that the file declares to be a modified standard one.
struct ModifiedResidue {
    std::string chain, id, name;  ///< of the residue
    std::string standard_name;    ///< of what it was made from
};

/// A structure and what its file says besides.
struct StructureFile {
    Structure structure;                             ///< of the model that was asked for
    std::vector<PolymerSequence> sequences;          ///< SEQRES, entity_poly_seq
    std::vector<ModifiedResidue> modified_residues;  ///< MODRES, pdbx_struct_mod_residue
    std::vector<std::string> warnings;               ///< what was guessed or left out, a sentence each
    int atoms_with_alternates = 0;                   ///< those of which one of several locations was taken
};

/// Reads a PDB or mmCIF file, told apart by content; either may be compressed with gzip. Names of residues and atoms
/// are made standard (ResidueNames), standard bonds are added (StandardBonds), and for PDB files disulfides by
/// distance. Throws InputError, naming the file, the line, the value and what was expected.
StructureFile read_structure_file(std::string const& path, ReadStructureOptions const& options);

/// The structure alone.
Structure read_structure(std::string const& path, ReadStructureOptions const& options);

}  // namespace trotter::app
