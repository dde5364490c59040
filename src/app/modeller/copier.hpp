// Copies parts of a structure into a new one.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <trotter/app/structure.hpp>
#include <utility>
#include <vector>

namespace trotter::app {

/// Makes a structure from another, chain by chain, residue by residue, atom by atom, with new atoms in between.
class Copier {
public:
    explicit Copier(Structure const& from) : from_(from), new_index_(from.topology.atoms.size(), -1) {
        to_.box = from.box;
    }

    void copy_chain(int chain) { to_.topology.add_chain(from_.topology.chains[static_cast<std::size_t>(chain)].id); }

    void copy_residue(int residue) {
        auto const& old = from_.topology.residues[static_cast<std::size_t>(residue)];
        to_.topology.add_residue(old.name, old.id, old.insertion_code);
        to_.topology.residues.back().original_name = old.original_name;
    }

    /// Returns the index of the new atom.
    int copy_atom(int atom) {
        auto const index = static_cast<std::size_t>(atom);
        auto const& old = from_.topology.atoms[index];
        to_.positions.push_back(from_.positions[index]);
        if (!from_.velocities.empty()) to_.velocities.push_back(from_.velocities[index]);
        return new_index_[index] = to_.topology.add_atom(old.name, old.element, old.formal_charge);
    }

    void copy_atoms(int residue) {
        auto const& old = from_.topology.residues[static_cast<std::size_t>(residue)];
        for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom) copy_atom(atom);
    }

    /// Appends everything.
    void copy_all() {
        for (int chain = 0; auto const& old : from_.topology.chains) {
            copy_chain(chain++);
            for (int residue = old.first_residue; residue < old.first_residue + old.residue_count; ++residue) {
                copy_residue(residue);
                copy_atoms(residue);
            }
        }
        copy_bonds();
    }

    int add_atom(std::string name, std::optional<Element> element, Vec3<> const& position) {
        to_.positions.push_back(position);
        return to_.topology.add_atom(std::move(name), element);
    }

    /// Index of an old atom in the new structure, or -1.
    int new_index(int atom) const { return new_index_[static_cast<std::size_t>(atom)]; }

    /// The structure so far.
    Structure& structure() { return to_; }

    /// Appends the bonds of atoms that were both copied.
    void copy_bonds() {
        for (auto const& bond : from_.topology.bonds) {
            int const atom1 = new_index_[static_cast<std::size_t>(bond.atom1)];
            int const atom2 = new_index_[static_cast<std::size_t>(bond.atom2)];
            if (atom1 >= 0 && atom2 >= 0) to_.topology.add_bond(atom1, atom2, bond.type, bond.order);
        }
    }

    /// Hands the structure over: without velocities if it has new atoms, which have none.
    Structure finish() {
        if (to_.velocities.size() != to_.positions.size()) to_.velocities.clear();
        return std::move(to_);
    }

private:
    Structure const& from_;
    Structure to_;
    std::vector<int> new_index_;  // for each old atom; -1 if it was not copied
};

}  // namespace trotter::app
