// SPDX-License-Identifier: MIT
#include "graph.hpp"

#include "at.hpp"
#include "mixed.hpp"

namespace trotter::app::force_field {

int element_number(std::optional<Element> const& element) {
    if (!element) return 0;
    return 2 * element->atomic_number() + (element->symbol() == "D" ? 1 : 0);
}

Graph Graph::without_extra_particles() const {
    std::vector<int> renumbered(atoms.size(), -1);
    int kept = 0;
    for (int i = 0; i < count(atoms); ++i)
        if (at(atoms, i).element != 0) at(renumbered, i) = kept++;
    Graph result;
    for (auto const& atom : atoms) {
        if (atom.element == 0) continue;
        auto& copy = result.atoms.emplace_back(Atom{atom.element, {}, {}, atom.external_bonds});
        for (int const other : atom.bonded)
            if (at(renumbered, other) >= 0) copy.bonded.push_back(at(renumbered, other));
    }
    return result;
}

std::uint64_t signature(int element) { return element == 0 ? 0 : mixed(static_cast<std::uint64_t>(element)); }

std::uint64_t signature(Graph const& graph) {
    std::uint64_t sum = 0;
    for (auto const& atom : graph.atoms) sum += signature(atom.element);
    return sum;
}

std::string fingerprint(Graph const& graph) {
    std::string key;
    auto const add = [&](int number) { key.append(reinterpret_cast<char const*>(&number), sizeof number); };
    for (auto const& atom : graph.atoms) {
        add(atom.element), add(atom.external_bonds), add(count(atom.bonded)), add(count(atom.name));
        for (int const other : atom.bonded) add(other);
        key += atom.name;
    }
    return key;
}

}  // namespace trotter::app::force_field
