// SPDX-License-Identifier: MIT
#include "app/modeller/ideal_residues.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <sstream>

namespace trotter::app {
namespace {

constexpr std::string_view lines[] = {
#include "app/modeller/ideal_residues.inc"
};

constexpr std::string_view amino_acids =
    "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL";

/// Residues, a torsion, and its usual values [degrees].
constexpr std::array<std::string_view, 3> torsions[] = {
    {"ARG GLN GLU LEU LYS MET HIS PHE TRP TYR ASN ASP", "N CA CB CG", "-65 180 65"},
    {"CYS", "N CA CB SG", "-65 180 65"},
    {"SER", "N CA CB OG", "65 -65 180"},
    {"THR", "N CA CB OG1", "62 -60 -175"},
    {"ILE", "N CA CB CG1", "-65 180 65"},
    {"VAL", "N CA CB CG1", "175 -60 65"},
    {"ARG GLN GLU LYS", "CA CB CG CD", "180 -65 65 -85 85"},
    {"MET", "CA CB CG SD", "180 -65 65"},
    {"LEU", "CA CB CG CD1", "175 65 -85 85 -65"},
    {"ILE", "CA CB CG1 CD1", "170 -60 65"},
    {"ASP", "CA CB CG OD1", "-15 0 30 -45 60 90"},
    {"ASN", "CA CB CG OD1", "-20 30 -80 0 120 180 -120 60"},
    {"PHE TYR", "CA CB CG CD1", "90 -30 60 -60 0 30"},
    {"TRP", "CA CB CG CD1", "-105 90 0 -90 105 -10 30 180"},
    {"HIS", "CA CB CG ND1", "-70 -165 165 80 -80 60 0 120"},
    {"ARG LYS", "CB CG CD NE|CE", "180 -65 65 -85 85"},
    {"MET", "CB CG SD CE", "-70 75 180"},
    {"GLU", "CB CG CD OE1", "-10 20 -40 60 90 -85"},
    {"GLN", "CB CG CD OE1", "-25 0 20 60 -60 100 -100 180"},
    {"LYS", "CG CD CE NZ", "180 -65 65"},
    {"ARG", "CG CD NE CZ", "180 -85 85 -105 105"},
    {amino_acids, "-CA -C N CA", "180"},
    {amino_acids, "-C N CA C", "-65 -120 -90 -150 55"},
    {amino_acids, "N CA C +N", "140 -40 120 160 0 60 -60"},
    {"ACE", "C +N +CA +C", "-65 -120 -90 -150 -80 55"},
    {"A G DA DG", "O4' C1' N9 C4", "-160 -110 -135 -85 60 30"},
    {"C U DC DT", "O4' C1' N1 C2", "-160 -110 -135 -85 60 30"},
    {"A C G U DA DC DG DT", "C3' C4' C5' O5'", "55 180 -65"},
    {"A C G U DA DC DG DT", "C4' C5' O5' P", "180 150 -150 120 -120"},
    {"A C G U DA DC DG DT", "C5' O5' P -O3'", "-65 180 70"},
    {"A C G U DA DC DG DT", "C4' C3' O3' +P", "-150 180 -90"},
};

std::vector<std::string> words(std::string_view text, char separator = ' ') {
    std::vector<std::string> found;
    std::istringstream in{std::string(text)};
    for (std::string word; std::getline(in, word, separator);) found.push_back(word);
    return found;
}

void add_bond(IdealResidue& residue, int a, int b) {
    residue.bonded[static_cast<std::size_t>(a)].push_back(b);
    residue.bonded[static_cast<std::size_t>(b)].push_back(a);
}

void add_atom(IdealResidue& residue, std::string name, Vec3<> const& position, int bonded_to) {
    int const index = static_cast<int>(residue.names.size());
    residue.names.push_back(std::move(name));
    residue.positions.push_back(position);
    residue.bonded.emplace_back();
    add_bond(residue, index, bonded_to);
}

Vec3<> unit(Vec3<> const& v) { return v / norm(v); }

/// The second oxygen of an end of a chain, in the direction of the nitrogen that would follow.
void add_end(IdealResidue& residue) {
    int const carbon = residue.find("C"), next = residue.find("+N");
    auto const& place = residue.positions[static_cast<std::size_t>(carbon)];
    auto const direction = unit(residue.positions[static_cast<std::size_t>(next)] - place);
    add_atom(residue, "OXT", place + direction * 0.125, carbon);
}

/// The carbon that tells phi of the residue behind ACE, in trans to the carbon of ACE.
void add_next_carbon(IdealResidue& residue) {
    auto const at = [&](char const* name) { return residue.positions[static_cast<std::size_t>(residue.find(name))]; };
    constexpr double length = 0.1522, angle = 110.1 * std::numbers::pi / 180;  // of ff14SB
    auto const axis = unit(at("+CA") - at("+N"));
    auto const side = at("+N") - at("C");
    auto const across = unit(side - axis * dot(side, axis));
    add_atom(residue, "+C", at("+CA") + (axis * -std::cos(angle) + across * std::sin(angle)) * length,
             residue.find("+CA"));
}

/// Least numbers of bonds from one atom to all.
std::vector<int> distances_from(IdealResidue const& residue, int start) {
    std::vector<int> distance(residue.names.size(), 99), queue{start};
    distance[static_cast<std::size_t>(start)] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
        for (int const next : residue.bonded[static_cast<std::size_t>(queue[at])])
            if (auto& d = distance[static_cast<std::size_t>(next)]; d == 99) {
                d = distance[static_cast<std::size_t>(queue[at])] + 1;
                queue.push_back(next);
            }
    return distance;
}

/// Atoms that are reached from `to` without the bond to `from`.
std::vector<int> atoms_beyond(IdealResidue const& residue, int from, int to) {
    std::vector<int> found{to};
    for (std::size_t at = 0; at < found.size(); ++at)
        for (int const next : residue.bonded[static_cast<std::size_t>(found[at])])
            if (!(found[at] == to && next == from) && std::find(found.begin(), found.end(), next) == found.end())
                found.push_back(next);
    found.erase(found.begin());
    return found;
}

void add_torsion(IdealResidue& residue, std::string_view names, std::string_view values) {
    IdealTorsion torsion{};
    for (std::size_t n = 0; auto const& choice : words(names)) {
        int index = -1;
        for (auto const& name : words(choice, '|')) index = std::max(index, residue.find(name));
        if (index < 0) return;
        torsion.atoms[n++] = index;
    }
    for (auto const& value : words(values)) torsion.usual.push_back(std::stod(value) * std::numbers::pi / 180);
    for (int direction = 0; direction < 2; ++direction) {
        torsion.beyond = atoms_beyond(residue, torsion.atoms[1], torsion.atoms[2]);
        if (std::find(torsion.beyond.begin(), torsion.beyond.end(), torsion.atoms[1]) != torsion.beyond.end())
            return;  // the bond is in a ring
        residue.torsions.push_back(torsion);
        std::reverse(torsion.atoms.begin(), torsion.atoms.end());
    }
}

IdealResidue residue_from(std::vector<std::string> const& line) {
    IdealResidue residue;
    std::size_t at = 1;
    for (; line[at] != "bonds"; at += 4) {
        residue.names.push_back(line[at]);
        residue.positions.push_back(Vec3<>{std::stod(line[at + 1]), std::stod(line[at + 2]), std::stod(line[at + 3])}
                                    * 1e-4);
    }
    residue.bonded.resize(residue.names.size());
    for (++at; at + 1 < line.size(); at += 2) add_bond(residue, residue.find(line[at]), residue.find(line[at + 1]));
    if (residue.find("C") >= 0 && residue.find("+N") >= 0 && residue.find("CA") >= 0) add_end(residue);
    if (line[0] == "ACE") add_next_carbon(residue);
    for (int atom = 0; atom < static_cast<int>(residue.names.size()); ++atom)
        residue.bonds_between.push_back(distances_from(residue, atom));
    for (auto const& [residues, names, values] : torsions) {
        auto const listed = words(residues);
        if (std::find(listed.begin(), listed.end(), line[0]) != listed.end()) add_torsion(residue, names, values);
    }
    return residue;
}

}  // namespace

int IdealResidue::find(std::string_view name) const {
    auto const found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

IdealResidue const* ideal_residue(std::string_view name) {
    static auto const residues = [] {
        std::map<std::string, IdealResidue, std::less<>> made;
        for (auto const& line : lines) {
            auto const text = words(line);
            made.emplace(text[0], residue_from(text));
        }
        return made;
    }();
    auto const found = residues.find(name);
    return found == residues.end() ? nullptr : &found->second;
}

double torsion_angle(Vec3<> const& a, Vec3<> const& b, Vec3<> const& c, Vec3<> const& d) {
    Vec3<> const axis = c - b, normal1 = cross(b - a, axis), normal2 = cross(axis, d - c);
    return std::atan2(dot(cross(normal1, normal2), axis), dot(normal1, normal2) * norm(axis));
}

double chiral_volume(Vec3<> const& center, Vec3<> const& a, Vec3<> const& b, Vec3<> const& c) {
    return dot(a - center, cross(b - center, c - center));
}

}  // namespace trotter::app
