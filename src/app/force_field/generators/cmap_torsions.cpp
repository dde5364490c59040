// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include "numbers.hpp"
#include "torsions.hpp"

namespace trotter::app::force_field {

void CMAPTorsions::read(XmlNode const& node, AtomTypes const& types) {
    int const first_map = count(maps);
    for (auto const map : node.children("Map")) {
        auto values = read_numbers(map);
        auto const size = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(values.size()))));
        if (size * size != values.size() || size < 2)
            map.fail("has " + std::to_string(values.size()) + " values, expected as many along each angle");
        maps.push_back({static_cast<int>(size), std::move(values)});
    }
    int const added = count(maps) - first_map;
    for (auto const torsion : node.children("Torsion"))
        if (auto const selectors = types.selectors<5>(torsion))
            definitions.push_back({*selectors, first_map + torsion.integer<int>("map", 0, added - 1)});
}

namespace {

// All chains of five atoms along bonds, of which the first and the last may be the same; ascending.
std::vector<std::array<int, 5>> chains_of_five(Assembly const& assembly) {
    std::vector<std::array<int, 5>> result;
    for (auto const& [i, j, k, l] : assembly.propers) {
        for (int const atom : at(assembly.neighbors, i))
            if (atom != j) result.push_back({atom, i, j, k, l});
        for (int const atom : at(assembly.neighbors, l))
            if (atom != k) result.push_back({i, j, k, l, atom});
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

}  // namespace

int CMAPTorsions::create(Assembly& assembly) const {
    int const number = assembly.find_or_add<CMAPTorsionForce>();
    auto& force = at(assembly.system.forces<CMAPTorsionForce>(), number);
    force.maps.insert(force.maps.end(), maps.begin(), maps.end());
    auto const selectors_of = [](Definition const& definition) -> auto const& { return definition.selectors; };
    std::map<std::array<int, 5>, Definition const*> found;
    for (auto const& atoms : chains_of_five(assembly)) {
        auto const [place, is_new] = found.try_emplace(assembly.types_of(atoms), nullptr);
        if (is_new) place->second = find_specific(assembly.types, definitions, place->first, selectors_of);
        if (place->second)
            force.torsions.push_back(
                {place->second->map, atoms[0], atoms[1], atoms[2], atoms[3], atoms[1], atoms[2], atoms[3], atoms[4]});
    }
    return number;
}

}  // namespace trotter::app::force_field
