// SPDX-License-Identifier: MIT
#include "torsions.hpp"

#include <map>

namespace trotter::app::force_field {
namespace {

std::vector<PeriodicTorsions::Term> read_terms(XmlNode const& node) {
    std::vector<PeriodicTorsions::Term> result;
    for (int i = 1; node.has("phase" + std::to_string(i)); ++i) {
        auto const suffix = std::to_string(i);
        result.push_back(
            {node.integer<int>("periodicity" + suffix), node.number("phase" + suffix), node.number("k" + suffix)});
    }
    return result;
}

}  // namespace

void PeriodicTorsions::read(XmlNode const& node, AtomTypes const& types) {
    auto const ordering = read_ordering(node, Ordering::standard, true);
    for (auto const torsion : node.children("Proper"))
        if (auto const selectors = types.selectors<4>(torsion)) {
            for (auto const middle : {1, 2}) proper_index.add(count(propers), at(*selectors, middle));
            propers.push_back({{*selectors, Ordering::standard}, read_terms(torsion)});
        }
    for (auto const torsion : node.children("Improper"))
        if (auto const selectors = types.selectors<4>(torsion))
            impropers.push_back({{*selectors, ordering}, read_terms(torsion)});
}

int PeriodicTorsions::create(Assembly& assembly) const {
    int const number = assembly.find_or_add<PeriodicTorsionForce>();
    auto& force = at(assembly.system.forces<PeriodicTorsionForce>(), number);
    add_propers(assembly, force);
    add_impropers(assembly, force);
    return number;
}

PeriodicTorsions::Definition const* PeriodicTorsions::find_proper(AtomTypes const& types,
                                                                  std::array<int, 4> const& of_atoms) const {
    std::vector<int> wild, specific;
    auto const candidates = proper_index.for_type(types, of_atoms[1]);
    for (int const i : candidates) {
        auto const& selectors = at(propers, i).atoms.selectors;
        if (match_either_way(types, selectors, of_atoms))
            (has_wildcard(types, selectors) ? wild : specific).push_back(i);
    }
    auto const& fitting = specific.empty() ? wild : specific;
    if (fitting.empty()) return nullptr;
    if (fitting.size() == 1) return &at(propers, fitting[0]);
    for (int const i : python_set_order(candidates))
        if (std::find(fitting.begin(), fitting.end(), i) != fitting.end()) return &at(propers, i);
    return nullptr;
}

void PeriodicTorsions::add_propers(Assembly const& assembly, PeriodicTorsionForce& force) const {
    std::map<std::array<int, 4>, Definition const*> found;  // by types in either direction
    for (auto const& atoms : assembly.propers) {
        auto const of_atoms = assembly.types_of(atoms);
        std::array const reversed{of_atoms[3], of_atoms[2], of_atoms[1], of_atoms[0]};
        auto const [place, is_new] = found.try_emplace(std::min(of_atoms, reversed), nullptr);
        if (is_new) place->second = find_proper(assembly.types, of_atoms);
        if (!place->second) continue;
        for (auto const& [periodicity, phase, k] : place->second->terms)
            if (k != 0) force.torsions.push_back({atoms[0], atoms[1], atoms[2], atoms[3], periodicity, phase, k});
    }
}

// What is found for the first four atoms of some types, in this order, holds for all others: the definition, and which
// of the atoms comes where. This is how OpenMM does it, and it shows where atoms of like types stand in another order.
void PeriodicTorsions::add_impropers(Assembly const& assembly, PeriodicTorsionForce& force) const {
    std::map<std::array<int, 4>, std::optional<ImproperMatch>> found;
    auto const definition = [&](int i) -> ImproperDefinition const& { return at(impropers, i).atoms; };
    for (auto const& candidate : assembly.impropers) {
        auto const [place, is_new] = found.try_emplace(assembly.types_of(candidate));
        if (is_new && (place->second = match_improper(assembly, candidate, count(impropers), definition)))
            for (int& atom : place->second->atoms)
                atom = static_cast<int>(std::find(candidate.begin(), candidate.end(), atom) - candidate.begin());
        if (!place->second) continue;
        auto const& [number, places] = *place->second;
        std::array<int, 4> atoms;
        for (std::size_t i = 0; i < 4; ++i) atoms[i] = at(candidate, places[i]);
        auto const [a, b, c, d] = atoms;
        for (auto const& [periodicity, phase, k] : at(impropers, number).terms) {
            if (k == 0) continue;
            force.torsions.push_back({a, b, c, d, periodicity, phase, k});
            if (at(impropers, number).atoms.ordering != Ordering::smirnoff) continue;
            force.torsions.push_back({a, c, d, b, periodicity, phase, k});
            force.torsions.push_back({a, d, b, c, periodicity, phase, k});
        }
    }
}

void RBTorsions::read(XmlNode const& node, AtomTypes const& types) {
    auto const ordering = read_ordering(node, Ordering::charmm, false);
    auto const read_all = [&](std::string_view name, std::vector<Definition>& list) {
        for (auto const torsion : node.children(name))
            if (auto const selectors = types.selectors<4>(torsion)) {
                auto& definition = list.emplace_back(Definition{{*selectors, ordering}, {}});
                for (std::size_t i = 0; i < 6; ++i) definition.c[i] = torsion.number("c" + std::to_string(i));
            }
    };
    read_all("Proper", propers);
    read_all("Improper", impropers);
}

int RBTorsions::create(Assembly& assembly) const {
    int const number = assembly.find_or_add<RBTorsionForce>();
    auto& force = at(assembly.system.forces<RBTorsionForce>(), number);
    auto const add = [&](std::array<int, 4> const& atoms, std::array<double, 6> const& c) {
        force.torsions.push_back({atoms[0], atoms[1], atoms[2], atoms[3], c[0], c[1], c[2], c[3], c[4], c[5]});
    };
    auto const selectors_of = [](Definition const& definition) -> auto const& { return definition.atoms.selectors; };
    for (auto const& atoms : assembly.propers)
        if (auto const* found = find_specific(assembly.types, propers, assembly.types_of(atoms), selectors_of))
            add(atoms, found->c);
    auto const improper = [&](int i) -> ImproperDefinition const& { return at(impropers, i).atoms; };
    for (auto const& atoms : assembly.impropers)
        if (auto const found = match_improper(assembly, atoms, count(impropers), improper))
            add(found->atoms, at(impropers, found->definition).c);
    return number;
}

}  // namespace trotter::app::force_field
