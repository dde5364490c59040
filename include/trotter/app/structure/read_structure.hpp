// Structures from PDB and mmCIF files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/app/structure.hpp>

namespace trotter::app {

/// Which of an atom's alternate locations is taken.
enum class AlternateLocation {
    first,     ///< the first in the file, as OpenMM does
    occupancy  ///< the one with the highest occupancy, the first of equal ones
};

/// Options of read_structure.
struct ReadStructureOptions {
    AlternateLocation alternate_location = AlternateLocation::first;
    int model = 1;                          ///< counted from 1 in the order of the file
    std::vector<std::string> data_folders;  ///< searched for `pdbNames.xml` and `residues.xml`
};

/// Reads a PDB or mmCIF file, told apart by content; either may be compressed with gzip. Names of residues and atoms
/// are made standard (ResidueNames), standard bonds are added (StandardBonds), and for PDB files disulfides by distance.
/// Throws InvalidInput, naming the file, the line, the value and what was expected.
Structure read_structure(std::string const& path, ReadStructureOptions const& options);

}  // namespace trotter::app
