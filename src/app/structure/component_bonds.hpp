// Bonds that an mmCIF file lists for all residues of a name.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "bond_set.hpp"
#include "star_file.hpp"

namespace trotter::app {

/// Bonds of components by the names of their atoms.
class ComponentBonds {
public:
    explicit ComponentBonds(StarTable const& table) {
        auto const component = table.column("comp_id"), atom1 = table.column("atom_id_1"),
                   atom2 = table.column("atom_id_2"), order = table.column("value_order");
        for (std::size_t row = 0; row < table.row_count(); ++row)
            bonds_[table.value(row, component)][{table.value(row, atom1), table.value(row, atom2)}] =
                table.value(row, order);
    }

    /// Adds the bonds of a residue. Looks at pairs of its atoms where the component has more bonds than that.
    void add(Residue const& residue, Topology const& topology, BondSet& bonds) const {
        auto const found = bonds_.find(residue.name);
        if (found == bonds_.end()) return;
        std::unordered_map<std::string_view, int> atoms;
        for (int i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
            atoms[topology.atoms[static_cast<std::size_t>(i)].name] = i;
        auto const& bonds_of_component = found->second;
        if (atoms.size() * atoms.size() < bonds_of_component.size()) {
            for (auto const& [name1, atom1] : atoms)
                for (auto const& [name2, atom2] : atoms)
                    if (auto const bond = bonds_of_component.find({name1, name2}); bond != bonds_of_component.end())
                        add(atom1, atom2, bond->second, bonds);
        } else {
            for (auto const& [names, order] : bonds_of_component) {
                auto const atom1 = atoms.find(names.first), atom2 = atoms.find(names.second);
                if (atom1 != atoms.end() && atom2 != atoms.end()) add(atom1->second, atom2->second, order, bonds);
            }
        }
    }

private:
    static void add(int atom1, int atom2, std::string_view order, BondSet& bonds) {
        if (order == "sing")
            bonds.add(atom1, atom2, BondType::single, 1);
        else if (order == "doub")
            bonds.add(atom1, atom2, BondType::double_bond, 2);
        else if (order == "trip")
            bonds.add(atom1, atom2, BondType::triple, 3);
        else if (order == "arom")
            bonds.add(atom1, atom2, BondType::aromatic);
        else
            bonds.add(atom1, atom2);
    }

    using Names = std::pair<std::string_view, std::string_view>;
    std::unordered_map<std::string_view, std::map<Names, std::string_view>> bonds_;  // orders, by component and atoms
};

}  // namespace trotter::app
