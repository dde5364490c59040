// What a ForceField has loaded.
// SPDX-License-Identifier: MIT
#pragma once
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <trotter/app/force_field/force_field.hpp>

#include "assignment.hpp"
#include "atom_types.hpp"
#include "generators/generator.hpp"
#include "patched_templates.hpp"
#include "scripts/script.hpp"
#include "template.hpp"

namespace trotter::app {

struct ForceField::Data {
    std::vector<std::string> folders;  ///< where included files are looked for
    force_field::AtomTypes types;
    force_field::Templates templates;
    force_field::Patches patches;
    std::vector<force_field::Generator> generators;   ///< in the order of their first tags
    std::vector<force_field::Script> scripts;         ///< in the order of the files
    std::string charmm_version;                       ///< which version of CHARMM36 was loaded, if any
    /// Residues whose name decides about their template, by file.
    std::vector<std::set<std::string>> matched_by_name;
    std::vector<Matcher> matchers;
    std::vector<Generator> template_generators;
    std::vector<std::string> warnings;
    /// Held while the members are used: templates with patches are made, and generators may add others.
    std::recursive_mutex mutex;
};

namespace force_field {

/// Reads texts as one force field, and adds what they have.
void load(ForceField::Data& data, std::vector<ForceField::Text> texts);

/// Finds the template of each residue. With `ignore_extra_particles`, those that neither residue nor template have
/// alike do not matter, and `template_atoms` and `atoms` are left empty. Throws InputError that names all residues
/// without one.
Assignment assign_templates(ForceField::Data& data, Topology const& topology, SystemOptions const& options,
                            bool ignore_extra_particles);

/// What distinguishes a residue without a template from the nearest one, as the end of a sentence that begins with the
/// residue's name.
std::string difference_from_templates(Templates const& templates, Topology const& topology, int residue,
                                      std::vector<std::vector<int>> const& neighbors);

}  // namespace force_field
}  // namespace trotter::app
