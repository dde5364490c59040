// The refusal of a topology, which names all residues without a template.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <trotter/app/topology.hpp>

#include "template.hpp"

namespace trotter::app::force_field {

/// Collects what is wrong with residues.
class Refusal {
public:
    void add_unmatched(int residue) { unmatched_.push_back(residue); }
    /// Several templates match a residue, or residues of a molecule together, and assign different things.
    void add_ambiguous(std::vector<int> residues, std::vector<Template const*> matched) {
        ambiguous_.emplace_back(std::move(residues), std::move(matched));
    }
    /// Throws InputError if anything was added: one sentence, with the nearest template of each residue without one.
    void throw_if_any(Templates const& templates, Topology const& topology,
                      std::vector<std::vector<int>> const& neighbors) const;

private:
    std::vector<int> unmatched_;
    std::vector<std::pair<std::vector<int>, std::vector<Template const*>>> ambiguous_;
};

}  // namespace trotter::app::force_field
