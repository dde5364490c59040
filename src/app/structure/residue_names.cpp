// SPDX-License-Identifier: MIT
#include <trotter/app/structure/residue_names.hpp>

#include <trotter/app/data_files.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/xml.hpp>

namespace trotter::app {
namespace {

using Names = std::unordered_map<std::string, std::string>;

/// Adds the names of the atoms of an element: each attribute is a name for the one that `name` tells.
void add_atoms(XmlNode residue, Names& names) {
    for (auto const atom : residue.children("Atom")) {
        auto const standard = std::string(atom.text("name"));
        for (auto const attribute : atom.attributes()) names[std::string(atom.text(attribute))] = standard;
    }
}

std::string found_or_same(Names const& names, std::string const& name) {
    auto const found = names.find(name);
    return found == names.end() ? name : found->second;
}

}  // namespace

ResidueNames ResidueNames::load(std::vector<std::string> const& folders) {
    auto const path = find_data_file("pdbNames.xml", folders);
    auto const document = parse_xml(read_file(path, default_max_input, FileKind::xml), path);
    auto const root = document.root("Residues");
    Names all, protein, nucleic;
    for (auto const residue : root.children("Residue")) {
        auto const name = residue.text("name");
        if (name == "All") add_atoms(residue, all);
        if (name == "Protein") add_atoms(residue, protein);
        if (name == "Nucleic") add_atoms(residue, nucleic);
    }
    for (auto const& [name, standard] : all) protein[name] = nucleic[name] = standard;
    ResidueNames result;
    for (auto const residue : root.children("Residue")) {
        auto const standard = std::string(residue.text("name"));
        for (auto const attribute : residue.attributes())
            if (attribute == "name" || attribute.starts_with("alt"))
                result.residues_[std::string(residue.text(attribute))] = standard;
        auto const type = residue.text_or("type", "");
        auto& atoms = result.atoms_[standard] = type == "Protein" ? protein : type == "Nucleic" ? nucleic : all;
        add_atoms(residue, atoms);
    }
    return result;
}

void ResidueNames::add_more() {
    residues_["HSE"] = "HIS";
    for (auto const* water :
         {"TIP2", "TIP4", "TIP5", "TP4", "TP5", "T4P", "T4E", "T5P", "SPCE", "OPC", "OPC3", "DOD", "W"})
        residues_.emplace(water, "HOH");
}

std::string ResidueNames::residue(std::string const& name) const { return found_or_same(residues_, name); }

std::string ResidueNames::atom(std::string const& standard_residue, std::string const& name) const {
    auto const names = atoms_.find(standard_residue);
    return names == atoms_.end() ? name : found_or_same(names->second, name);
}

}  // namespace trotter::app
