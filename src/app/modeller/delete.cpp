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

/// Without the atoms whose entry is true; one change for each residue that loses some, one for all waters.
Structure without(Structure const& structure, std::vector<bool> const& is_deleted, char const* step, ChangeLog* log) {
    if (!log) return delete_atoms(structure, is_deleted);
    auto const& topology = structure.topology;
    int waters = 0;
    for (int index = 0; index < static_cast<int>(topology.residues.size()); ++index) {
        auto const& residue = topology.residues[static_cast<std::size_t>(index)];
        std::vector<std::string> names;
        for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
            if (is_deleted[static_cast<std::size_t>(atom)])
                names.push_back(topology.atoms[static_cast<std::size_t>(atom)].name);
        if (names.empty()) continue;
        bool const is_whole = static_cast<int>(names.size()) == residue.atom_count;
        if (is_whole && residue.name == "HOH") {
            ++waters;
            continue;
        }
        Change change{.step = step,
                      .object = {},
                      .what = is_whole ? "was deleted" : "lost " + std::to_string(names.size()) + " atoms",
                      .why = "asked for",
                      .kind = "dropped",
                      .atoms = std::move(names)};
        log->changes.push_back(std::move(change).of(topology, index));
    }
    if (waters > 0)
        log->changes.push_back({.step = step,
                                .object = std::to_string(waters) + " waters",
                                .what = "were deleted",
                                .why = "asked for",
                                .kind = "dropped",
                                .name = "HOH"});
    return delete_atoms(structure, is_deleted);
}

std::vector<bool> marked(Structure const& structure, std::vector<int> const& atoms) {
    int const count = structure.topology.atom_count();
    std::vector<bool> result(static_cast<std::size_t>(count));
    for (int const atom : atoms) {
        if (atom < 0 || atom >= count)
            throw InputError("there is no atom " + std::to_string(atom) + "; the structure has " + std::to_string(count)
                             + ", counted from 0");
        result[static_cast<std::size_t>(atom)] = true;
    }
    return result;
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

Structure delete_residues(Structure const& structure, std::vector<int> const& residues, ChangeLog* log) {
    auto const& topology = structure.topology;
    int const count = static_cast<int>(topology.residues.size());
    for (int const residue : residues)
        if (residue < 0 || residue >= count)
            throw InputError("delete_residues: there is no residue " + std::to_string(residue) + "; the structure has "
                             + std::to_string(count) + ", counted from 0");
    if (log)
        for (int const residue : residues)
            log->changes.push_back(
                Change{"delete_residues", {}, "was deleted", "asked for", "dropped"}.of(topology, residue));
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
            {"delete_water", std::to_string(waters.size()) + " waters", "were deleted", "asked for", "dropped"});
    return delete_atoms(structure, atoms_of(structure.topology, waters));
}

Structure keep_atoms(Structure const& structure, std::vector<int> const& atoms, ChangeLog* log) {
    auto is_deleted = marked(structure, atoms);
    is_deleted.flip();
    return without(structure, is_deleted, "keep", log);
}

Structure remove_atoms(Structure const& structure, std::vector<int> const& atoms, ChangeLog* log) {
    return without(structure, marked(structure, atoms), "remove", log);
}

}  // namespace trotter::app
