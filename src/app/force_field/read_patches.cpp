// SPDX-License-Identifier: MIT
#include "at.hpp"
#include "read_templates.hpp"

namespace trotter::app::force_field {
namespace {

constexpr int most_residues = 6;  // of a patch: their permutations are tried

class PatchReader {
public:
    PatchReader(XmlNode const& node, ForceField::Data& data) : node_(node), data_(data) {
        patch_.name = node.text("name");
        patch_.residue_count = node.integer_or<int>("residues", 1, 1, most_residues);
        patch_.added_atoms.resize(static_cast<std::size_t>(patch_.residue_count));
        patch_.changed_atoms.resize(static_cast<std::size_t>(patch_.residue_count));
    }

    Patch read() {
        read_atoms("AddAtom", patch_.added_atoms);
        read_atoms("ChangeAtom", patch_.changed_atoms);
        for (auto const atom : node_.children("RemoveAtom")) patch_.removed_atoms.push_back(touched_atom(atom));
        read_bonds("AddBond", patch_.added_bonds);
        read_bonds("RemoveBond", patch_.removed_bonds);
        for (auto const bond : node_.children("AddExternalBond"))
            patch_.added_external_bonds.push_back(atom_name(bond, "atomName"));
        for (auto const bond : node_.children("RemoveExternalBond"))
            patch_.removed_external_bonds.push_back(atom_name(bond, "atomName"));
        read_sites();
        for (auto const residue : node_.children("ApplyToResidue")) allow(residue);
        return std::move(patch_);
    }

private:
    // `2:CA` is an atom of the second residue.
    Patch::AtomName atom_name(XmlNode const& node, std::string_view attribute) const {
        auto const text = node.text(attribute);
        auto const colon = text.find(':');
        if (colon == std::string_view::npos) return {0, std::string(text)};
        auto const residue = parse_integer(text.substr(0, colon));
        if (!residue || *residue < 1 || *residue > patch_.residue_count)
            node.refuse(attribute, "a residue of the patch, from 1, before the colon");
        return {static_cast<int>(*residue) - 1, std::string(text.substr(colon + 1))};
    }
    Patch::AtomName touched_atom(XmlNode const& node) {
        if (!patch_.touched_atoms.emplace(node.text("name")).second)
            node.refuse("name", "each atom of the patch " + patch_.name + " once");
        return atom_name(node, "name");
    }
    void read_atoms(std::string_view element, std::vector<std::vector<TemplateAtom>>& lists) {
        for (auto const atom : node_.children(element)) {
            auto [residue, name] = touched_atom(atom);
            at(lists, residue).push_back(read_atom(atom, std::move(name), data_.types));
        }
    }
    void read_bonds(std::string_view element, std::vector<std::pair<Patch::AtomName, Patch::AtomName>>& list) const {
        for (auto const bond : node_.children(element))
            list.emplace_back(atom_name(bond, "atomName1"), atom_name(bond, "atomName2"));
    }
    void read_sites() {
        std::vector<std::string> names;
        for (auto const* atoms : {&patch_.added_atoms[0], &patch_.changed_atoms[0]})
            for (auto const& atom : *atoms) names.push_back(atom.name);
        for (auto const site : node_.children("VirtualSite")) patch_.sites.push_back(read_site(site, names));
    }
    void allow(XmlNode const& residue) {
        auto const [number, name] = atom_name(residue, "name");
        data_.patches.allow(name, patch_.name, number);
    }

    XmlNode node_;
    ForceField::Data& data_;
    Patch patch_;
};

}  // namespace

void read_patch(XmlNode const& node, ForceField::Data& data) { data.patches.add(PatchReader(node, data).read()); }

}  // namespace trotter::app::force_field
