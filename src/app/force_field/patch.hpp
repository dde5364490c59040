// Patches: changes to templates, such as chain ends and disulfides.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "template.hpp"

namespace trotter::app::force_field {

/// A change to the templates of one or more residues.
struct Patch {
    /// An atom by its name and the residue that it is in.
    struct AtomName {
        int residue = 0;
        std::string name;
        friend bool operator==(AtomName const&, AtomName const&) = default;
    };
    std::string name;
    int residue_count = 1;
    std::vector<std::vector<TemplateAtom>> added_atoms, changed_atoms;  ///< of each residue
    std::vector<AtomName> removed_atoms;
    std::vector<std::pair<AtomName, AtomName>> added_bonds, removed_bonds;
    std::vector<AtomName> added_external_bonds, removed_external_bonds;
    std::vector<SiteRule> sites;  ///< of the first residue; atoms are indices into the added, then the changed ones
    std::set<std::string> touched_atoms;  ///< names as the file writes them: patches that share one exclude each other

    /// The template of a residue after the patch; nothing if it does not fit to the template.
    std::optional<Template> applied_to(Template const& old, int residue) const;
    /// How applying it to the template changes the signature, if no other patch touches the same atoms.
    std::uint64_t signature_change(Template const& old, int residue) const;
    /// Whether it adds, changes or removes an atom of this name in the residue.
    bool touches(std::string const& atom, int residue) const;
};

}  // namespace trotter::app::force_field
