// Pieces of a protein and of DNA, and the standard bonds of their residues.
// SPDX-License-Identifier: MIT
#pragma once
#include "../catch_compat.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <trotter/app/modeller/delete.hpp>
#include <trotter/app/structure/read_structure.hpp>

#include "../folder.hpp"
#include "../io/scratch.hpp"

namespace trotter::testing {

class RepairFiles {
public:
    RepairFiles() {
        put_bytes(folder_ / "pdbNames.xml", R"(<Residues><Residue name="All"/></Residues>)");
        std::string const backbone = "-C N CA C O, C OXT, CA CB, ";
        std::string const sugar = "-O3' P O5' C5' C4' C3' O3', P OP1, P OP2, C4' O4' C1' C2' C3', ";
        std::string text = "<Residues>";
        text += bonds("ARG", backbone + "CB CG CD NE CZ NH1, CZ NH2");
        text += bonds("PRO", backbone + "CB CG CD N");
        text += bonds("ASP", backbone + "CB CG OD1, CG OD2");
        text += bonds("PHE", backbone + "CB CG CD1 CE1 CZ CE2 CD2 CG");
        text += bonds("TYR", backbone + "CB CG CD1 CE1 CZ CE2 CD2 CG, CZ OH");
        text += bonds("CYS", backbone + "CB SG");
        text += bonds("MET", backbone + "CB CG SD CE");
        text += bonds("LEU", backbone + "CB CG CD1, CG CD2");
        text += bonds("GLU", backbone + "CB CG CD OE1, CD OE2");
        text += bonds("THR", backbone + "CB OG1, CB CG2");
        text += bonds("LYS", backbone + "CB CG CD CE NZ");
        text += bonds("ALA", backbone);
        text += bonds("ILE", backbone + "CB CG1 CD1, CB CG2");
        text += bonds("VAL", backbone + "CB CG1, CB CG2");
        text += bonds("GLY", "-C N CA C O, C OXT");
        text += bonds("ACE", "CH3 C O") + bonds("NME", "-C N C");
        text += bonds("DG", sugar + "C1' N9 C8 N7 C5 C6 N1 C2 N3 C4 C5, C4 N9, C6 O6, C2 N2");
        text += bonds("DC", sugar + "C1' N1 C2 N3 C4 C5 C6 N1, C2 O2, C4 N4");
        put_bytes(folder_ / "residues.xml", text + "</Residues>");
    }

    app::StructureFile read(std::string const& name) const {
        return app::read_structure_file(tests_folder() + "/app/data/" + name,
                                        {.data_folders = {folder_.path().string()}});
    }
    app::StandardBonds bonds() const { return app::StandardBonds::load({folder_.path().string()}); }

private:
    /// Chains of bonded atoms, separated by commas.
    static std::string bonds(std::string const& residue, std::string const& chains) {
        std::string text = "<Residue name=\"" + residue + "\">";
        std::istringstream in(chains);
        for (std::string chain; std::getline(in, chain, ',');) {
            std::istringstream names(chain);
            std::string last;
            for (std::string name; names >> name; last = name)
                if (!last.empty()) text += "<Bond from=\"" + last + "\" to=\"" + name + "\"/>";
        }
        return text + "</Residue>";
    }

    ScratchFolder folder_;
};

/// Index of an atom of a residue with this number; -1 if there is none.
inline int atom_of(app::Structure const& structure, std::string const& number, std::string const& name) {
    auto const& topology = structure.topology;
    for (int i = 0; i < topology.atom_count(); ++i) {
        auto const& atom = topology.atoms[static_cast<std::size_t>(i)];
        auto const& residue = topology.residues[static_cast<std::size_t>(atom.residue)];
        if (atom.name == name && residue.id + residue.insertion_code == number) return i;
    }
    return -1;
}

inline Vec3<> place_of(app::Structure const& structure, std::string const& number, std::string const& name) {
    int const atom = atom_of(structure, number, name);
    REQUIRE(atom >= 0);
    return structure.positions[static_cast<std::size_t>(atom)];
}

/// Without the atoms for which a function of number of residue and name of atom says so.
inline app::Structure cut(app::Structure const& structure,
                          std::function<bool(std::string const&, std::string const&)> const& is_cut) {
    std::vector<int> cut;
    for (int i = 0; i < structure.topology.atom_count(); ++i) {
        auto const& atom = structure.topology.atoms[static_cast<std::size_t>(i)];
        if (is_cut(structure.topology.residues[static_cast<std::size_t>(atom.residue)].id, atom.name)) cut.push_back(i);
    }
    return app::remove_atoms(structure, cut);
}

/// Positions of the atoms of a structure whose residue and name another has as well; whether all are equal there.
inline bool has_moved(app::Structure const& before, app::Structure const& after) {
    for (int i = 0; i < before.topology.atom_count(); ++i) {
        auto const& atom = before.topology.atoms[static_cast<std::size_t>(i)];
        auto const& residue = before.topology.residues[static_cast<std::size_t>(atom.residue)];
        int const other = atom_of(after, residue.id + residue.insertion_code, atom.name);
        if (other >= 0
            && !(after.positions[static_cast<std::size_t>(other)] == before.positions[static_cast<std::size_t>(i)]))
            return true;
    }
    return false;
}

/// The smallest distance of atoms that are more than two bonds apart [nm].
inline double nearest_contact(app::Structure const& structure) {
    auto const bonded = structure.topology.bonded_atoms();
    double nearest = 9;
    for (std::size_t i = 0; i < structure.positions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            bool is_near = false;
            for (int const a : bonded[i]) {
                is_near = is_near || a == static_cast<int>(j);
                for (int const b : bonded[static_cast<std::size_t>(a)]) is_near = is_near || b == static_cast<int>(j);
            }
            if (!is_near) nearest = std::min(nearest, norm(structure.positions[i] - structure.positions[j]));
        }
    return nearest;
}

/// Positive for an L amino acid with the atoms N, C and CB around CA.
inline double chirality(app::Structure const& s, std::string const& number, std::string const& center,
                        std::string const& a, std::string const& b, std::string const& c) {
    auto const origin = place_of(s, number, center);
    return dot(place_of(s, number, a) - origin,
               cross(place_of(s, number, b) - origin, place_of(s, number, c) - origin));
}

/// Names of the atoms of a residue, sorted.
inline std::set<std::string> names_of(app::Structure const& structure, int residue) {
    auto const& found = structure.topology.residues[static_cast<std::size_t>(residue)];
    std::set<std::string> names;
    for (int atom = found.first_atom; atom < found.first_atom + found.atom_count; ++atom)
        names.insert(structure.topology.atoms[static_cast<std::size_t>(atom)].name);
    return names;
}

inline bool has_bond(app::Structure const& structure, int a, int b) {
    auto const bonded = structure.topology.bonded_atoms();
    auto const& others = bonded[static_cast<std::size_t>(a)];
    return std::find(others.begin(), others.end(), b) != others.end();
}

}  // namespace trotter::testing
