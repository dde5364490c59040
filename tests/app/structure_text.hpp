// Structures of tests, written in a few lines.
// SPDX-License-Identifier: MIT
#pragma once
#include <sstream>
#include <string>
#include <trotter/app/structure.hpp>

/// From lines `CHAIN RESIDUE NUMBER ATOM ELEMENT X Y Z` [nm], where the element `-` is none, and `bond ATOM1 ATOM2`
/// with indices. The number may end in an insertion code.
inline trotter::app::Structure structure_from(std::string const& text) {
    using namespace trotter::app;
    Structure structure;
    auto& topology = structure.topology;
    std::istringstream lines(text);
    std::string line, last_chain = " ", last_residue;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string chain, residue, number, atom, element;
        if (!(words >> chain)) continue;
        if (chain == "bond") {
            int atom1 = 0, atom2 = 0;
            words >> atom1 >> atom2;
            topology.add_bond(atom1, atom2);
            continue;
        }
        trotter::Vec3<> place;
        words >> residue >> number >> atom >> element >> place.x >> place.y >> place.z;
        if (chain != last_chain) {
            topology.add_chain(chain);
            last_residue.clear();
        }
        last_chain = chain;
        if (number != last_residue) {
            auto const digits = number.find_last_of("0123456789") + 1;
            topology.add_residue(residue, number.substr(0, digits), number.substr(digits));
        }
        last_residue = number;
        topology.add_atom(atom, element == "-" ? std::nullopt : Element::from_symbol(element));
        structure.positions.push_back(place);
    }
    return structure;
}

/// Names of the atoms, separated by spaces.
inline std::string atom_names(trotter::app::Structure const& structure) {
    std::string names;
    for (auto const& atom : structure.topology.atoms) names += (names.empty() ? "" : " ") + atom.name;
    return names;
}
