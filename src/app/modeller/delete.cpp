// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/delete.hpp>

#include <algorithm>
#include <trotter/error.hpp>

#include "app/modeller/copier.hpp"

namespace trotter::app {
namespace {

std::vector<bool> atoms_of(Topology const& topology, std::vector<int> const& residues) {
    std::vector<bool> chosen(topology.atoms.size());
    for (int const index : residues) {
        auto const& residue = topology.residues[static_cast<std::size_t>(index)];
        std::fill_n(chosen.begin() + residue.first_atom, residue.atom_count, true);
    }
    return chosen;
}

}  // namespace

Structure delete_atoms(Structure const& structure, std::vector<bool> const& is_deleted) {
    auto const& topology = structure.topology;
    if (is_deleted.size() != topology.atoms.size())
        throw InputError("delete_atoms: " + std::to_string(is_deleted.size()) + " entries for "
                         + std::to_string(topology.atoms.size()) + " atoms");
    Copier copier(structure);
    int last_residue = -1, last_chain = -1;
    for (int atom = 0; atom < topology.atom_count(); ++atom) {
        if (is_deleted[static_cast<std::size_t>(atom)]) continue;
        int const residue = topology.atoms[static_cast<std::size_t>(atom)].residue;
        if (residue != last_residue) {
            int const chain = topology.residues[static_cast<std::size_t>(residue)].chain;
            if (chain != last_chain) copier.copy_chain(chain);
            copier.copy_residue(residue);
            last_residue = residue;
            last_chain = chain;
        }
        copier.copy_atom(atom);
    }
    copier.copy_bonds();
    return copier.finish();
}

Structure keep_atoms(Structure const& structure, std::vector<int> const& atoms) {
    int const count = structure.topology.atom_count();
    std::vector<bool> is_deleted(static_cast<std::size_t>(count), true);
    for (int const atom : atoms) {
        if (atom < 0 || atom >= count)
            throw InputError("keep_atoms: there is no atom " + std::to_string(atom) + "; the structure has "
                             + std::to_string(count) + ", counted from 0");
        is_deleted[static_cast<std::size_t>(atom)] = false;
    }
    return delete_atoms(structure, is_deleted);
}

Structure delete_residues(Structure const& structure, std::vector<int> const& residues, ChangeLog* log) {
    auto const& topology = structure.topology;
    int const count = static_cast<int>(topology.residues.size());
    for (int const residue : residues)
        if (residue < 0 || residue >= count)
            throw InputError("delete_residues: there is no residue " + std::to_string(residue) + "; the structure has "
                             + std::to_string(count) + ", counted from 0");
    if (log)
        for (int const residue : residues)
            log->changes.push_back({"delete_residues", topology.residue_name(residue), "was deleted", "asked for"});
    return delete_atoms(structure, atoms_of(topology, residues));
}

Structure delete_water(Structure const& structure, ChangeLog* log) {
    std::vector<int> waters;
    for (int index = 0; auto const& residue : structure.topology.residues) {
        if (residue.name == "HOH") waters.push_back(index);
        ++index;
    }
    if (log)
        log->changes.push_back(
            {"delete_water", std::to_string(waters.size()) + " waters", "were deleted", "asked for"});
    return delete_atoms(structure, atoms_of(structure.topology, waters));
}

}  // namespace trotter::app
