// SPDX-License-Identifier: MIT
#include "bonds.hpp"

#include <algorithm>
#include <numeric>

#include "at.hpp"

namespace trotter::app::force_field {

std::vector<std::vector<int>> sorted_neighbors(Topology const& topology) {
    auto result = topology.bonded_atoms();
    for (auto& list : result) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return result;
}

Graph graph_of(Topology const& topology, std::vector<std::vector<int>> const& neighbors,
               std::vector<int> const& atoms) {
    Graph result;
    for (int const atom : atoms) {
        auto const& [name, element, residue, charge] = at(topology.atoms, atom);
        auto& node =
            result.atoms.emplace_back(Graph::Atom{element_number(element), element ? std::string() : name, {}, 0});
        for (int const other : at(neighbors, atom)) {
            auto const place = std::lower_bound(atoms.begin(), atoms.end(), other);
            if (place != atoms.end() && *place == other) node.bonded.push_back(static_cast<int>(place - atoms.begin()));
            else ++node.external_bonds;
        }
    }
    return result;
}

std::vector<int> atoms_of(Topology const& topology, int residue) {
    auto const& found = at(topology.residues, residue);
    std::vector<int> result(static_cast<std::size_t>(found.atom_count));
    std::iota(result.begin(), result.end(), found.first_atom);
    return result;
}

bool is_end_of_chain(Topology const& topology, int residue) {
    auto const& chain = at(topology.chains, at(topology.residues, residue).chain);
    return chain.residue_count > 1
           && (residue == chain.first_residue || residue == chain.first_residue + chain.residue_count - 1);
}

}  // namespace trotter::app::force_field
