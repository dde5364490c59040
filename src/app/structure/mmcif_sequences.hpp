// What an mmCIF file declares of its polymers.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/app/structure/read_structure.hpp>

#include "star_file.hpp"

namespace trotter::app {

/// Of entity_poly_seq for each chain of struct_asym. Sequences are of entities, of which several chains may be copies.
std::vector<PolymerSequence> polymer_sequences(StarFile const& star);

/// Of pdbx_struct_mod_residue.
std::vector<ModifiedResidue> modified_residues(StarFile const& star);

}  // namespace trotter::app
