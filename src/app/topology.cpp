// SPDX-License-Identifier: MIT
#include <trotter/app/topology.hpp>

namespace trotter::app {

int Topology::add_chain(std::string id) {
    chains.push_back({std::move(id), static_cast<int>(residues.size()), 0});
    return static_cast<int>(chains.size()) - 1;
}

int Topology::add_residue(std::string name, std::string id, std::string insertion_code) {
    Residue residue;
    residue.original_name = name;
    residue.name = std::move(name);
    residue.id = std::move(id);
    residue.insertion_code = std::move(insertion_code);
    residue.chain = static_cast<int>(chains.size()) - 1;
    residue.first_atom = atom_count();
    residues.push_back(std::move(residue));
    ++chains.back().residue_count;
    return static_cast<int>(residues.size()) - 1;
}

int Topology::add_atom(std::string name, std::optional<Element> element, std::optional<int> formal_charge) {
    atoms.push_back({std::move(name), element, static_cast<int>(residues.size()) - 1, formal_charge});
    ++residues.back().atom_count;
    return atom_count() - 1;
}

void Topology::add_bond(int atom1, int atom2, BondType type, std::optional<int> order) {
    bonds.push_back({atom1, atom2, type, order});
}

std::vector<std::vector<int>> Topology::bonded_atoms() const {
    std::vector<std::vector<int>> bonded(atoms.size());
    for (auto const& bond : bonds) {
        bonded[static_cast<std::size_t>(bond.atom1)].push_back(bond.atom2);
        bonded[static_cast<std::size_t>(bond.atom2)].push_back(bond.atom1);
    }
    return bonded;
}

std::string Topology::residue_name(int residue) const {
    auto const& found = residues[static_cast<std::size_t>(residue)];
    return found.name + " " + chains[static_cast<std::size_t>(found.chain)].id + ":" + found.id + found.insertion_code;
}

}  // namespace trotter::app
