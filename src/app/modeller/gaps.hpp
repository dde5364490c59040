// Gaps in chains.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/structure.hpp>
#include <vector>

namespace trotter::app {

/// A place in a chain where residues are missing.
struct Gap {
    int before = 0;          ///< the residue in front of it; the next one is behind it
    double distance = 0;     ///< of the atoms that would be bonded, or of the alpha carbons [nm]
    bool in_protein = true;  ///< or else in a nucleic acid
};

/// Whether a residue has the backbone of an amino acid, or is a standard one.
bool is_amino_acid(Topology const& topology, int residue);

/// Where residues that follow one another in a chain are too far apart to be bonded.
std::vector<Gap> find_gaps(Structure const& structure);

}  // namespace trotter::app
