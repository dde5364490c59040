// SPDX-License-Identifier: MIT
#include "harmonic.hpp"

#include <algorithm>
#include <cmath>

namespace trotter::app::force_field {

void HarmonicBonds::read(XmlNode const& node, AtomTypes const& types) {
    for (auto const bond : node.children("Bond"))
        if (auto const selectors = types.selectors<2>(bond)) {
            for (auto const selector : *selectors) index.add(count(definitions), selector);
            definitions.push_back({*selectors, bond.number("length"), bond.number("k")});
        }
}

int HarmonicBonds::create(Assembly& assembly) const {
    int const number = assembly.find_or_add<HarmonicBondForce>();
    auto& force = at(assembly.system.forces<HarmonicBondForce>(), number);
    std::map<std::array<int, 2>, Definition const*> found;
    for (auto& bond : assembly.bonds) {
        auto const of_atoms = assembly.types_of(std::array{bond.atom1, bond.atom2});
        auto const [place, is_new] = found.try_emplace(of_atoms, nullptr);
        if (is_new)
            for (int const candidate : python_set_order(index.for_type(assembly.types, of_atoms[0])))
                if (match_either_way(assembly.types, at(definitions, candidate).selectors, of_atoms)) {
                    place->second = &at(definitions, candidate);
                    break;
                }
        auto const* definition = place->second;
        if (!definition) continue;
        bond.length = definition->length;
        if (bond.is_constrained) assembly.add_constraint(bond.atom1, bond.atom2, definition->length);
        if (definition->k != 0 && (!bond.is_constrained || assembly.options.flexible_constraints()))
            force.bonds.push_back({bond.atom1, bond.atom2, definition->length, definition->k});
    }
    return number;
}

void HarmonicAngles::read(XmlNode const& node, AtomTypes const& types) {
    for (auto const angle : node.children("Angle"))
        if (auto const selectors = types.selectors<3>(angle)) {
            index.add(count(definitions), (*selectors)[1]);
            definitions.push_back({*selectors, angle.number("angle"), angle.number("k")});
        }
}

namespace {

// The distance of the outer atoms, from the angle and the lengths of the two bonds.
void constrain(Assembly& assembly, std::array<int, 3> const& atoms, double angle) {
    Assembly::Bond const *bond1 = nullptr, *bond2 = nullptr;
    for (int const i : at(assembly.bonds_of_atom, atoms[1])) {
        auto const& bond = at(assembly.bonds, i);
        if (bond.other(atoms[1]) == atoms[0]) bond1 = &bond;
        else if (bond.other(atoms[1]) == atoms[2]) bond2 = &bond;
    }
    if (!bond1 || !bond2) return;
    double const a = bond1->length, b = bond2->length;
    assembly.add_constraint(atoms[0], atoms[2], std::sqrt(a * a + b * b - 2 * a * b * std::cos(angle)));
}

}  // namespace

void HarmonicAngles::finish(Assembly& assembly, int) const {
    auto& force = at(assembly.system.forces<HarmonicAngleForce>(), assembly.find_or_add<HarmonicAngleForce>());
    std::map<std::array<int, 3>, Definition const*> found;
    for (auto const& [atoms, is_constrained] : assembly.angles) {
        auto const of_atoms = assembly.types_of(atoms);
        auto const [place, is_new] = found.try_emplace(of_atoms, nullptr);
        if (is_new)
            for (int const candidate : index.for_type(assembly.types, of_atoms[1]))
                if (match_either_way(assembly.types, at(definitions, candidate).selectors, of_atoms)) {
                    place->second = &at(definitions, candidate);
                    break;
                }
        auto const* definition = place->second;
        if (!definition) continue;
        if (is_constrained) constrain(assembly, atoms, definition->angle);
        if (definition->k != 0 && (!is_constrained || assembly.options.flexible_constraints()))
            force.angles.push_back({atoms[0], atoms[1], atoms[2], definition->angle, definition->k});
    }
}

namespace {

std::array<int, 3> either_way(std::array<int, 3> key) {
    if (key[0] > key[2]) std::swap(key[0], key[2]);
    return key;
}

}  // namespace

void UreyBradley::read(XmlNode const& node, AtomTypes const& types) {
    for (auto const term : node.children("UreyBradley")) {
        bool const is_by_class = term.has("class1");
        for (std::string const suffix : {"1", "2", "3"})
            if (term.has((is_by_class ? "type" : "class") + suffix)) term.fail("has both classes and types");
        std::array<int, 3> key{};
        bool is_known = true;
        for (std::size_t i = 0; i < 3; ++i) {
            auto const name = term.text((is_by_class ? "class" : "type") + std::to_string(i + 1));
            auto const number = is_by_class ? types.find_class(name) : types.find(name);
            is_known = is_known && number;
            key[i] = number.value_or(-1);
        }
        Parameters const parameters{term.number("k"), term.number("d")};
        if (is_known) (is_by_class ? by_class : by_type).try_emplace(either_way(key), parameters);
    }
}

int UreyBradley::create(Assembly& assembly) const {
    int const number = assembly.find_or_add<HarmonicBondForce>();
    auto& force = at(assembly.system.forces<HarmonicBondForce>(), number);
    auto const add = [&](auto const& definitions, auto const& number_of) {
        for (auto const& [atoms, is_constrained] : assembly.angles) {
            if (is_constrained && !assembly.options.flexible_constraints()) continue;
            auto const found =
                definitions.find(either_way({number_of(atoms[0]), number_of(atoms[1]), number_of(atoms[2])}));
            if (found == definitions.end() || found->second.k == 0) continue;
            force.bonds.push_back({atoms[0], atoms[2], found->second.length, 2 * found->second.k});
        }
    };
    add(by_class, [&](int atom) { return assembly.types.class_of(assembly.type(atom)); });
    add(by_type, [&](int atom) { return assembly.type(atom); });
    return number;
}

}  // namespace trotter::app::force_field
