// Structures read from texts, with small tables of names and bonds.
// SPDX-License-Identifier: MIT
#pragma once
#include "../catch_compat.hpp"

#include <string>
#include <vector>

#include <trotter/app/structure/read_structure.hpp>
#include <trotter/error.hpp>

#include "../io/scratch.hpp"

namespace trotter::testing {

/// A folder with tables of names and bonds of a few residues, in the format of those that OpenMM ships.
class StructureFolder {
public:
    StructureFolder() {
        put_bytes(folder_ / "pdbNames.xml", R"(<Residues>
 <Residue name="All"/>
 <Residue name="Protein"><Atom name="H" alt1="HN" alt2="H1"/><Atom name="OXT" alt1="OT2"/></Residue>
 <Residue name="Nucleic"><Atom name="O5'" alt1="O5*"/></Residue>
 <Residue name="ALA" type="Protein"><Atom name="HB1" alt1="1HB"/></Residue>
 <Residue name="CYS" type="Protein" alt1="CYX"/>
 <Residue name="HIS" type="Protein" alt1="HID" alt2="HIE"/>
 <Residue name="DA" alt1="DA5" type="Nucleic"/>
 <Residue name="HOH" alt1="WAT" alt2="SOL"><Atom name="O" alt1="OW"/></Residue>
</Residues>)");
        put_bytes(folder_ / "residues.xml", R"(<Residues>
 <Residue name="ALA"><Bond from="-C" to="N"/><Bond from="N" to="CA"/><Bond from="CA" to="C"/><Bond from="C" to="O"/>
  <Bond from="CA" to="CB"/><Bond from="C" to="OXT"/></Residue>
 <Residue name="CYS"><Bond from="-C" to="N"/><Bond from="N" to="CA"/><Bond from="CA" to="C"/><Bond from="C" to="O"/>
  <Bond from="CA" to="CB"/><Bond from="CB" to="SG"/><Bond from="SG" to="HG"/></Residue>
 <Residue name="HOH"><Bond from="O" to="H1"/><Bond from="O" to="H2"/></Residue>
</Residues>)");
    }

    app::StructureFile read(std::string const& text, app::ReadStructureOptions options = {}) const {
        put_bytes(folder_ / "input", text);
        options.data_folders = {folder_.path().string()};
        return app::read_structure_file(folder_ / "input", options);
    }
    app::Topology topology(std::string const& text) const { return read(text).structure.topology; }

    /// What reading a text is refused with, without the folder.
    std::string refusal(std::string const& text, app::ReadStructureOptions const& options = {}) const {
        auto message = message_of<InputError>([&] { read(text, options); });
        auto const folder = folder_.path().string() + "/";
        for (auto at = message.find(folder); at != message.npos; at = message.find(folder))
            message.erase(at, folder.size());
        return message;
    }

    std::string operator/(std::string const& name) const { return folder_ / name; }

private:
    ScratchFolder folder_;
};

/// Names of the atoms, by residue: `ALA 1: N CA; HOH 2: O`.
inline std::string listed(app::Topology const& topology) {
    std::string text;
    for (auto const& residue : topology.residues) {
        text += (text.empty() ? "" : "; ") + residue.name + ' ' + residue.id + residue.insertion_code + ':';
        for (int i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
            text += ' ' + topology.atoms[static_cast<std::size_t>(i)].name;
    }
    return text;
}

/// Ids of the chains, each in brackets.
inline std::string chain_ids(app::Topology const& topology) {
    std::string text;
    for (auto const& chain : topology.chains) text += '[' + chain.id + ']';
    return text;
}

/// Symbols of the elements; `-` for an extra particle.
inline std::string elements(app::Topology const& topology) {
    std::string text;
    for (auto const& atom : topology.atoms)
        text += (text.empty() ? "" : " ") + std::string(atom.element ? atom.element->symbol() : "-");
    return text;
}

inline std::vector<std::pair<int, int>> bonds(app::Topology const& topology) {
    std::vector<std::pair<int, int>> result;
    for (auto const& bond : topology.bonds) result.push_back(std::minmax(bond.atom1, bond.atom2));
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace trotter::testing
