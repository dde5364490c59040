// What is unusual in the geometry of a protein.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <trotter/app/structure.hpp>
#include <vector>

namespace trotter::app {

/// A sentence for each amino acid that is not L, and for each peptide bond that is cis but not before a proline.
std::vector<std::string> unusual_stereochemistry(Structure const& structure);

}  // namespace trotter::app
