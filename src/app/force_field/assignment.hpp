// Which template each residue of a topology has.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <vector>

#include <trotter/app/system_options.hpp>
#include <trotter/app/topology.hpp>

#include "template.hpp"

namespace trotter::app::force_field {

/// A residue, or the residues of a molecule together, with its template.
struct MatchedResidue {
    std::vector<int> residues;  ///< indices into the topology, ascending
    Template const* matched = nullptr;
    std::vector<int> template_atoms;  ///< that each atom of the residues is
};

/// Templates, types and parameters of all atoms.
struct Assignment {
    /// What an atom is in its template.
    struct AtomMatch {
        TemplateAtom const* atom = nullptr;
        int index = 0;  ///< in the template
    };
    /// A virtual site, by the indices of the topology.
    struct Site {
        VirtualSite site;
        int exclude_with = 0;
    };
    std::vector<AtomMatch> atoms;
    std::map<int, Site> sites;
    std::vector<MatchedResidue> residues;  ///< without those that have a patch over several residues
    std::map<int, std::string> patched_names;  ///< template names of those
    std::vector<int> matched_residue;      ///< for each residue its index in `residues`, or -1 for such a patch

    int type(int atom) const { return atoms[static_cast<std::size_t>(atom)].atom->type; }
    /// The template of a residue; null for one that has a patch over several.
    Template const* template_of(int residue) const;
};

}  // namespace trotter::app::force_field
