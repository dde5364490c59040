// SPDX-License-Identifier: MIT
#include "app/modeller/stereochemistry.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "app/modeller/ideal_residues.hpp"

namespace trotter::app {
namespace {

/// Places of atoms of one residue by name.
using Places = std::map<std::string, Vec3<>, std::less<>>;

Places places_of(Structure const& structure, int index) {
    auto const& residue = structure.topology.residues[static_cast<std::size_t>(index)];
    Places places;
    for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
        places.emplace(structure.topology.atoms[static_cast<std::size_t>(atom)].name,
                       structure.positions[static_cast<std::size_t>(atom)]);
    return places;
}

bool has(Places const& places, std::initializer_list<char const*> names) {
    for (auto const* name : names)
        if (!places.contains(name)) return false;
    return true;
}

}  // namespace

std::vector<std::string> unusual_stereochemistry(Structure const& structure) {
    std::vector<std::string> sentences;
    auto const& topology = structure.topology;
    Places before;
    int last_chain = -1;
    for (int index = 0; index < static_cast<int>(topology.residues.size()); ++index) {
        auto const& residue = topology.residues[static_cast<std::size_t>(index)];
        auto const here = places_of(structure, index);
        auto const at = [&](char const* name) { return here.find(name)->second; };
        auto const* ideal = ideal_residue(residue.name);
        bool const is_amino_acid = ideal != nullptr && ideal->find("CA") >= 0 && has(here, {"N", "CA", "C"});
        if (is_amino_acid && has(here, {"CB"}) && chiral_volume(at("CA"), at("N"), at("C"), at("CB")) < 0)
            sentences.push_back(topology.residue_name(index) + " is no L amino acid: its atoms CA, N, C and CB are D");
        if (is_amino_acid && residue.chain == last_chain && has(before, {"CA", "C"}) && residue.name != "PRO"
            && norm(before.find("C")->second - at("N")) < 0.2) {
            double const omega = torsion_angle(before.find("CA")->second, before.find("C")->second, at("N"), at("CA"));
            if (std::abs(omega) < std::numbers::pi / 2)
                sentences.push_back(fmt::format("the peptide bond before {} is cis: omega is {:.0f} degrees",
                                                topology.residue_name(index), omega * 180 / std::numbers::pi));
        }
        before = is_amino_acid ? here : Places{};
        last_chain = residue.chain;
    }
    return sentences;
}

}  // namespace trotter::app
