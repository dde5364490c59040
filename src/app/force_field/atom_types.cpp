// SPDX-License-Identifier: MIT
#include "atom_types.hpp"

#include "at.hpp"

namespace trotter::app::force_field {

int NameTable::add(std::string_view name) {
    if (auto const found = numbers_.find(name); found != numbers_.end()) return found->second;
    int const number = size();
    numbers_.emplace(names_.emplace_back(name), number);
    return number;
}

std::optional<int> NameTable::find(std::string_view name) const {
    auto const found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

void AtomTypes::add(XmlNode const& node) {
    auto const name = node.text("name"), class_name = node.text("class");
    double const mass = node.number("mass");
    std::optional<Element> element;
    if (node.has("element") && !(element = Element::from_symbol(node.text("element"))))
        node.refuse("element", "the symbol of an element");
    if (auto const old = names_.find(name)) {
        auto const& type = at(types_, *old);
        if (classes_.name(type.type_class) != class_name || type.mass != mass || type.element != element)
            node.fail("the atom type " + std::string(name) + " has several different definitions");
        return;
    }
    int const type_class = classes_.add(class_name);
    if (type_class == count(class_sizes_)) class_sizes_.push_back(0);
    ++at(class_sizes_, type_class);
    names_.add(name);
    types_.push_back({type_class, mass, element});
}

bool AtomTypes::is_wildcard(TypeSelector selector) const {
    if (selector.kind == TypeSelector::Kind::any) return true;
    return selector.kind == TypeSelector::Kind::type_class && at(class_sizes_, selector.number) == size();
}

std::optional<TypeSelector> AtomTypes::selector(XmlNode const& node, std::string_view suffix) const {
    std::string const type_attribute = "type" + std::string(suffix), class_attribute = "class" + std::string(suffix);
    bool const by_class = node.has(class_attribute), by_type = node.has(type_attribute);
    if (by_class && by_type) node.fail("has both " + type_attribute + " and " + class_attribute + " for one atom");
    if (!by_class && !by_type) return {};
    auto const name = node.text(by_class ? class_attribute : type_attribute);
    if (name.empty()) return TypeSelector{};
    auto const number = by_class ? classes_.find(name) : names_.find(name);
    if (!number) return {};
    return TypeSelector{by_class ? TypeSelector::Kind::type_class : TypeSelector::Kind::type, *number};
}

}  // namespace trotter::app::force_field
