// SPDX-License-Identifier: MIT
#include "custom.hpp"
#include "torsions.hpp"

namespace trotter::app::force_field {
namespace {

template <class Force> void read_head(XmlNode const& node, std::string_view parameter_element, Force& force) {
    force.energy = read_formula(node, "energy", std::string(node.text("energy")),
                                [](std::string text) { return RuntimeExpression(std::move(text)); });
    force.global_parameters = read_global_parameters(node);
    force.parameter_names = read_names(node, parameter_element);
}

template <std::size_t N, class Definitions>
void read_definitions(XmlNode const& node, std::string_view element, AtomTypes const& types,
                      std::vector<std::string> const& names, Definitions& definitions) {
    for (auto const term : node.children(element))
        if (auto const selectors = types.selectors<N>(term))
            definitions.push_back({*selectors, read_values(term, names)});
}

template <class Definitions, std::size_t N>
auto const* find_first(AtomTypes const& types, Definitions const& definitions, std::array<int, N> const& of_atoms) {
    for (auto const& definition : definitions)
        if (match_either_way(types, definition.selectors, of_atoms)) return &definition;
    return static_cast<typename Definitions::value_type const*>(nullptr);
}

}  // namespace

void CustomBonds::read(XmlNode const& node, AtomTypes const& types) {
    read_head(node, "PerBondParameter", force);
    read_definitions<2>(node, "Bond", types, force.parameter_names, definitions);
}

int CustomBonds::create(Assembly& assembly) const {
    auto made = force;
    for (auto const& bond : assembly.bonds)
        if (auto const* found =
                find_first(assembly.types, definitions, assembly.types_of(std::array{bond.atom1, bond.atom2})))
            made.bonds.push_back({bond.atom1, bond.atom2, found->values});
    assembly.system.add(std::move(made));
    return count(assembly.system.forces<CustomBondForce>()) - 1;
}

void CustomAngles::read(XmlNode const& node, AtomTypes const& types) {
    read_head(node, "PerAngleParameter", force);
    read_definitions<3>(node, "Angle", types, force.parameter_names, definitions);
}

int CustomAngles::create(Assembly& assembly) const {
    auto made = force;
    for (auto const& [atoms, is_constrained] : assembly.angles)
        if (auto const* found = find_first(assembly.types, definitions, assembly.types_of(atoms)))
            made.angles.push_back({atoms[0], atoms[1], atoms[2], found->values});
    assembly.system.add(std::move(made));
    return count(assembly.system.forces<CustomAngleForce>()) - 1;
}

void CustomTorsions::read(XmlNode const& node, AtomTypes const& types) {
    read_head(node, "PerTorsionParameter", force);
    auto const ordering = read_ordering(node, Ordering::charmm, false);
    auto const read_all = [&](std::string_view element, std::vector<Definition>& list) {
        for (auto const torsion : node.children(element))
            if (auto const selectors = types.selectors<4>(torsion))
                list.push_back({{*selectors, ordering}, read_values(torsion, force.parameter_names)});
    };
    read_all("Proper", propers);
    read_all("Improper", impropers);
}

int CustomTorsions::create(Assembly& assembly) const {
    auto made = force;
    auto const add = [&](std::array<int, 4> const& atoms, std::vector<double> const& values) {
        made.torsions.push_back({atoms[0], atoms[1], atoms[2], atoms[3], values});
    };
    auto const selectors_of = [](Definition const& definition) -> auto const& { return definition.atoms.selectors; };
    for (auto const& atoms : assembly.propers)
        if (auto const* found = find_specific(assembly.types, propers, assembly.types_of(atoms), selectors_of))
            add(atoms, found->values);
    auto const improper = [&](int i) -> ImproperDefinition const& { return at(impropers, i).atoms; };
    for (auto const& atoms : assembly.impropers)
        if (auto const found = match_improper(assembly, atoms, count(impropers), improper))
            add(found->atoms, at(impropers, found->definition).values);
    assembly.system.add(std::move(made));
    return count(assembly.system.forces<CustomTorsionForce>()) - 1;
}

}  // namespace trotter::app::force_field
