// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/mutate.hpp>

#include <algorithm>

#include <trotter/app/structure/residue_labels.hpp>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

#include "app/modeller/ideal_residues.hpp"
#include "app/modeller/place_heavy_atoms.hpp"
#include "app/modeller/replace_residue.hpp"
#include "app/structure/nonstandard_residues.hpp"

namespace trotter::app {
namespace {

bool is_amino_acid(std::string const& name) {
    auto const* ideal = ideal_residue(name);
    return ideal != nullptr && ideal->find("CA") >= 0;
}

void check(Mutation const& mutation, Topology const& topology) {
    int const count = static_cast<int>(topology.residues.size());
    if (mutation.residue < 0 || mutation.residue >= count)
        throw InputError("mutate: there is no residue " + std::to_string(mutation.residue) + "; the structure has "
                         + std::to_string(count) + ", counted from 0");
    auto const& residue = topology.residues[static_cast<std::size_t>(mutation.residue)];
    auto const name = topology.residue_name(mutation.residue);
    if (residue.name != mutation.from && residue.original_name != mutation.from)
        throw InputError("mutate: " + name + " is to become " + in_quotes(mutation.to) + ", but is no "
                         + in_quotes(mutation.from));
    bool const becomes_amino_acid = is_amino_acid(mutation.to);
    if (!becomes_amino_acid && !is_nucleotide(mutation.to))
        throw InputError("mutate: " + name + " is to become " + in_quotes(mutation.to)
                         + ", expected a standard amino acid or nucleotide");
    bool const is_alike = becomes_amino_acid ? is_amino_acid(residue.name) || !standard_for(residue.name).empty()
                                             : is_nucleotide(residue.name);
    if (!is_alike || ideal_residue(mutation.to) == nullptr)
        throw InputError("mutate: " + name + " cannot become " + mutation.to
                         + ", expected an amino acid for an amino acid or a nucleotide for a nucleotide");
}

/// Names of the heavy atoms of a residue inside a chain that an edit leaves missing.
std::vector<std::string> missing_names(Structure const& structure, Mutation const& mutation, ResidueEdit const& edit) {
    auto const& topology = structure.topology;
    auto const& old = topology.residues[static_cast<std::size_t>(mutation.residue)];
    std::vector<std::string> missing;
    for (auto const& name : ideal_residue(mutation.to)->names) {
        if (name[0] == '-' || name[0] == '+' || name == "OXT" || name == "P" || name == "OP1" || name == "OP2")
            continue;
        bool is_there = false;
        for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom) {
            auto const renamed = edit.renamed.find(atom);
            auto const& present =
                renamed == edit.renamed.end() ? topology.atoms[static_cast<std::size_t>(atom)].name : renamed->second;
            is_there = is_there || (present == name && !edit.dropped.contains(atom));
        }
        if (!is_there) missing.push_back(name);
    }
    return missing;
}

}  // namespace

Mutation parse_mutation(std::string const& text, Topology const& topology) {
    auto const arrow = text.rfind('>'), colon = text.rfind(':', arrow);
    if (arrow == text.npos || colon == text.npos || colon == 0 || colon + 1 >= arrow || arrow + 1 == text.size())
        throw InputError("the change " + in_quotes(text) + " is wrong, expected CHAIN:NUMBER:FROM>TO");
    return {ResidueLabels(topology).find(text.substr(0, colon)), text.substr(colon + 1, arrow - colon - 1),
            text.substr(arrow + 1)};
}

Structure mutate(Structure const& structure, std::vector<Mutation> const& mutations, StandardBonds const& bonds,
                 ChangeLog* log) {
    std::map<int, ResidueEdit> edits;
    ChangeLog changes;
    for (auto const& mutation : mutations) {
        check(mutation, structure.topology);
        auto edit = replacement(structure, mutation.residue, mutation.to);
        edit.added = missing_names(structure, mutation, edit);
        Change change{.step = "mutate",
                      .object = {},
                      .what = "became " + mutation.to,
                      .why = "asked for",
                      .kind = "mutated",
                      .atoms = edit.added,
                      .from = structure.topology.residues[static_cast<std::size_t>(mutation.residue)].name,
                      .to = mutation.to};
        changes.changes.push_back(std::move(change).of(structure.topology, mutation.residue));
        if (!edits.emplace(mutation.residue, std::move(edit)).second)
            throw InputError("mutate: " + structure.topology.residue_name(mutation.residue)
                             + " is changed twice, expected one change of a residue");
    }
    auto edited = edit_residues(structure, edits, bonds);
    place_heavy_atoms(edited.structure, edited.is_new, changes.warnings);
    if (log) {
        log->changes.insert(log->changes.end(), changes.changes.begin(), changes.changes.end());
        log->warnings.insert(log->warnings.end(), changes.warnings.begin(), changes.warnings.end());
    }
    return std::move(edited.structure);
}

}  // namespace trotter::app
