// Residues that are not standard, and what can be put in their place.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace trotter::app {

/// The standard residue that a modified one (MSE) is replaced by (MET), as in PDBFixer 1.12; empty if none is known.
std::string_view standard_for(std::string_view name);

/// Whether PDBFixer has a template of the residue: amino acids, nucleotides, ACE and NME.
bool has_template(std::string_view name);

/// Whether it is a standard residue of DNA or RNA.
bool is_nucleotide(std::string_view name);

}  // namespace trotter::app
