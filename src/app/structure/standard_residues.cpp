// SPDX-License-Identifier: MIT
#include "standard_residues.hpp"

#include <algorithm>

namespace trotter::app {
namespace {

/// Whether the bond leads from a residue to the next one in the chain as in all polymers of their kind.
bool is_link(Topology const& topology, int from, int to) {
    auto const &atom1 = topology.atoms[static_cast<std::size_t>(from)],
               &atom2 = topology.atoms[static_cast<std::size_t>(to)];
    auto const &residue1 = topology.residues[static_cast<std::size_t>(atom1.residue)],
               &residue2 = topology.residues[static_cast<std::size_t>(atom2.residue)];
    if (atom2.residue != atom1.residue + 1 || residue1.chain != residue2.chain) return false;
    return (atom1.name == "C" && atom2.name == "N") || (atom1.name == "O3'" && atom2.name == "P");
}

}  // namespace

bool is_standard_residue(std::string_view name) {
    constexpr std::string_view standard[] = {
        "ALA", "ASN", "CYS", "GLU", "HIS", "LEU", "MET", "PRO", "THR", "TYR", "ARG", "ASP", "GLN", "GLY", "ILE", "LYS",
        "PHE", "SER", "TRP", "VAL", "A",   "G",   "C",   "U",   "I",   "DA",  "DG",  "DC",  "DT",  "DI",  "HOH"};
    return std::find(std::begin(standard), std::end(standard), name) != std::end(standard);
}

std::vector<Bond> unimplied_bonds(Topology const& topology) {
    std::vector<Bond> result;
    auto const residue_of = [&](int atom) { return topology.atoms[static_cast<std::size_t>(atom)].residue; };
    auto const is_standard = [&](int residue) {
        auto const& name = topology.residues[static_cast<std::size_t>(residue)].name;
        return is_standard_residue(name) && name != "I"
               && name != "DI";  // whose bonds the table of bonds does not have
    };
    for (auto const& bond : topology.bonds) {
        int const residue1 = residue_of(bond.atom1), residue2 = residue_of(bond.atom2);
        bool const is_implied = is_standard(residue1) && is_standard(residue2)
                                && (residue1 == residue2 || is_link(topology, bond.atom1, bond.atom2)
                                    || is_link(topology, bond.atom2, bond.atom1));
        if (!is_implied) result.push_back(bond);
    }
    return result;
}

}  // namespace trotter::app
