// SPDX-License-Identifier: MIT
#include "disulfide_records.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <trotter/app/structure/residue_labels.hpp>

#include "../text/text.hpp"

namespace trotter::app {

void DisulfideRecords::add(PdbLine const& line) {
    auto const label = [&](std::size_t chain, std::size_t number) {
        return std::string(1, line.column(chain)) + ':' + std::string(stripped(line.columns(number, number + 3)))
               + std::string(stripped(line.columns(number + 4, number + 4)));
    };
    if (stripped(line.columns(60, 65)) != stripped(line.columns(67, 72))) return;  // to an image in the crystal
    pairs_.push_back({label(16, 18), label(30, 32)});
}

void DisulfideRecords::warn_of_others(StructureFile& file) const {
    if (pairs_.empty()) return;
    auto const& topology = file.structure.topology;
    std::map<std::string, int> cysteines;
    for (int i = 0; i < static_cast<int>(topology.residues.size()); ++i)
        if (topology.residues[static_cast<std::size_t>(i)].name == "CYS")
            cysteines.emplace(residue_label(topology, i), i);
    std::set<std::pair<int, int>> bonded, declared;
    for (auto const& bond : topology.bonds) {
        auto const &a = topology.atoms[static_cast<std::size_t>(bond.atom1)],
                   &b = topology.atoms[static_cast<std::size_t>(bond.atom2)];
        if (a.name == "SG" && b.name == "SG") bonded.insert(std::minmax(a.residue, b.residue));
    }
    for (auto const& pair : pairs_) {
        auto const a = cysteines.find(pair.residue1), b = cysteines.find(pair.residue2);
        if (a != cysteines.end() && b != cysteines.end()) declared.insert(std::minmax(a->second, b->second));
    }
    auto const warn = [&](std::pair<int, int> const& pair, char const* what) {
        file.warnings.push_back("the disulfide of " + topology.residue_name(pair.first) + " and "
                                + topology.residue_name(pair.second) + what);
    };
    for (auto const& pair : declared)
        if (!bonded.contains(pair))
            warn(pair, " is declared by SSBOND, but their sulfurs are not near: no bond was made");
    for (auto const& pair : bonded)
        if (!declared.contains(pair)) warn(pair, " was found by distance, but SSBOND does not declare it");
}

}  // namespace trotter::app
