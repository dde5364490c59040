// Patches over several bonded residues, such as disulfides.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "data.hpp"

namespace trotter::app::force_field {

/// A residue with its patched template, and the atom of the template that each of its atoms is.
struct PatchedResidue {
    int residue = 0;
    Template const* matched = nullptr;
    std::vector<int> template_atoms;
};

/// Compares a residue with a template.
using MatchResidue = std::function<std::optional<std::vector<int>>(int residue, Template const& candidate)>;

/// Finds residues among `unmatched`, bonded to each other, that match after a patch over several residues. Each gets at
/// most one such patch, the first that fits in the order of the files.
std::vector<PatchedResidue> match_patches_over_residues(ForceField::Data& data, Topology const& topology,
                                                        std::vector<std::vector<int>> const& neighbors,
                                                        std::vector<int> const& unmatched, MatchResidue const& match);

}  // namespace trotter::app::force_field
