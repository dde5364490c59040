// Disulfides that a PDB file declares.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/app/structure/read_structure.hpp>

#include "pdb_atom_line.hpp"

namespace trotter::app {

/// Records SSBOND, which OpenMM does not read: they only serve to tell where the bonds found by distance differ.
class DisulfideRecords {
public:
    void add(PdbLine const& line);

    /// Adds a warning for each pair of residues in the file that is declared but not bonded, and for each that is
    /// bonded but not declared if any is declared.
    void warn_of_others(StructureFile& file) const;

private:
    struct Pair {
        std::string residue1, residue2;  // `A:5` with the insertion code
    };
    std::vector<Pair> pairs_;
};

}  // namespace trotter::app
