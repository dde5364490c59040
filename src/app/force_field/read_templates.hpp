// Reads templates and patches.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/io/xml.hpp>

#include "data.hpp"

namespace trotter::app::force_field {

/// Adds the template of a `<Residue>`, and which patches it allows. Throws InputError.
void read_residue(XmlNode const& node, ForceField::Data& data);
/// Adds a `<Patch>`, and to which templates it may be applied. Throws InputError.
void read_patch(XmlNode const& node, ForceField::Data& data);

/// An atom of a template or patch.
TemplateAtom read_atom(XmlNode const& node, std::string name, AtomTypes const& types);
/// A `<VirtualSite>` of a template or patch with these atoms.
SiteRule read_site(XmlNode const& node, std::vector<std::string> const& atom_names);

}  // namespace trotter::app::force_field
