// Atom types and their classes, numbered.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trotter/app/element.hpp>
#include <trotter/io/xml.hpp>

namespace trotter::app::force_field {

/// Names, numbered in the order in which they were added.
class NameTable {
public:
    NameTable() = default;
    NameTable(NameTable const&) = delete;  // the map refers to the names
    NameTable& operator=(NameTable const&) = delete;

    int add(std::string_view name);                        ///< returns its number, the old one if it is there
    std::optional<int> find(std::string_view name) const;  ///< nothing for an unknown name
    std::string const& name(int number) const { return names_[static_cast<std::size_t>(number)]; }
    int size() const { return static_cast<int>(names_.size()); }

private:
    std::deque<std::string> names_;  // never moved
    std::unordered_map<std::string_view, int> numbers_;
};

/// The types that one atom of a definition stands for: one type, those of a class, or all.
struct TypeSelector {
    enum class Kind : unsigned char { type, type_class, any };
    Kind kind = Kind::any;
    int number = 0;  ///< of the type or class
};

/// The atom types of a force field.
class AtomTypes {
public:
    /// From a `<Type>`. Throws InputError if the name has another definition.
    void add(XmlNode const& node);

    int size() const { return names_.size(); }
    std::string const& name(int type) const { return names_.name(type); }
    std::optional<int> find(std::string_view name) const { return names_.find(name); }
    int class_of(int type) const { return types_[static_cast<std::size_t>(type)].type_class; }
    std::string const& class_name(int type) const { return classes_.name(class_of(type)); }
    std::optional<int> find_class(std::string_view name) const { return classes_.find(name); }
    double mass(int type) const { return types_[static_cast<std::size_t>(type)].mass; }  ///< [amu]
    std::optional<Element> element(int type) const { return types_[static_cast<std::size_t>(type)].element; }

    /// Whether the selector stands for the type.
    bool contains(TypeSelector selector, int type) const {
        return selector.kind == TypeSelector::Kind::any
               || selector.number == (selector.kind == TypeSelector::Kind::type ? type : class_of(type));
    }
    /// Whether it stands for every type: a wildcard, or a class that all types have.
    bool is_wildcard(TypeSelector selector) const;

    /// What the attributes `typeN` or `classN` of a definition stand for (`type` or `class` if `suffix` is empty).
    /// Nothing for unknown names and missing attributes. Throws InputError if both are given.
    std::optional<TypeSelector> selector(XmlNode const& node, std::string_view suffix) const;
    /// The same for atoms 1 to N; nothing if that of any atom is nothing.
    template <std::size_t N> std::optional<std::array<TypeSelector, N>> selectors(XmlNode const& node) const {
        static constexpr std::array<std::string_view, 5> suffixes{"1", "2", "3", "4", "5"};
        std::array<TypeSelector, N> result;
        bool known = true;
        for (std::size_t i = 0; i < N; ++i) {
            auto const found = selector(node, suffixes[i]);
            if (found) result[i] = *found;
            known = known && found;
        }
        return known ? std::optional(result) : std::nullopt;
    }

private:
    struct Type {
        int type_class;
        double mass;
        std::optional<Element> element;
    };
    NameTable names_, classes_;
    std::vector<Type> types_;
    std::vector<int> class_sizes_;
};

/// Whether each selector stands for the type in its place.
template <std::size_t N> bool contains_all(AtomTypes const& types, std::array<TypeSelector, N> const& selectors,
                                           std::array<int, N> const& of_atoms) {
    for (std::size_t i = 0; i < N; ++i)
        if (!types.contains(selectors[i], of_atoms[i])) return false;
    return true;
}
/// The same in either direction.
template <std::size_t N> bool match_either_way(AtomTypes const& types, std::array<TypeSelector, N> const& selectors,
                                               std::array<int, N> of_atoms) {
    if (contains_all(types, selectors, of_atoms)) return true;
    for (std::size_t i = 0; i < N / 2; ++i) std::swap(of_atoms[i], of_atoms[N - 1 - i]);
    return contains_all(types, selectors, of_atoms);
}
/// Whether one of them is a wildcard.
template <std::size_t N> bool has_wildcard(AtomTypes const& types, std::array<TypeSelector, N> const& selectors) {
    for (auto const selector : selectors)
        if (types.is_wildcard(selector)) return true;
    return false;
}

}  // namespace trotter::app::force_field
