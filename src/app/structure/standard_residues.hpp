// Residues whose bonds follow from their names.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include <trotter/app/topology.hpp>

namespace trotter::app {

/// Whether a residue is one of the amino acids, nucleotides and water whose bonds readers of files know.
bool is_standard_residue(std::string_view name);

/// The bonds that readers do not know from names: those with residues that are not standard, and of the bonds between
/// residues all but the links C-N and O3'-P to the next one in the chain.
std::vector<Bond> unimplied_bonds(Topology const& topology);

}  // namespace trotter::app
