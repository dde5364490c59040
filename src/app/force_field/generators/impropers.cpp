// SPDX-License-Identifier: MIT
#include "impropers.hpp"

#include <tuple>

namespace trotter::app::force_field {

Ordering read_ordering(XmlNode const& force, Ordering missing, bool allow_smirnoff) {
    if (!force.has("ordering")) return missing;
    auto const name = force.text("ordering");
    if (name == "default") return Ordering::standard;
    if (name == "charmm") return Ordering::charmm;
    if (name == "amber") return Ordering::amber;
    if (name == "smirnoff" && allow_smirnoff) return Ordering::smirnoff;
    force.refuse("ordering", allow_smirnoff ? "default, charmm, amber or smirnoff" : "default, charmm or amber");
}

namespace {

// Each permutation of the three neighbors, in lexicographic order.
constexpr std::array<std::array<std::size_t, 3>, 6> permutations{
    {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}}};

using Outer = std::array<int, 3>;  // the neighbors as the definition has them

class Orderer {
public:
    Orderer(Assembly const& assembly, int center, Outer outer) : assembly_(assembly), center_(center), outer_(outer) {}

    std::array<int, 4> ordered(Ordering ordering, bool has_wildcard) {
        if (ordering == Ordering::smirnoff || (ordering == Ordering::charmm && !has_wildcard))
            return {center_, outer_[0], outer_[1], outer_[2]};
        if (ordering == Ordering::amber) sort_as_amber(has_wildcard);
        else sort_by_element();
        return {outer_[0], outer_[1], center_, outer_[2]};
    }

private:
    // The third neighbor stays; of the first two carbon goes first, then the lighter element, then the lower index.
    void sort_by_element() {
        static auto const carbon = Element::from_symbol("C");
        auto const first = element(outer_[0]), second = element(outer_[1]);
        auto const mass = [](std::optional<Element> const& e) { return e ? e->mass() : 0; };
        bool const is_later = first == second ? outer_[0] > outer_[1]
                                              : first != carbon && (second == carbon || mass(first) < mass(second));
        if (is_later) std::swap(outer_[0], outer_[1]);
    }
    // Like neighbors go by residue and place in the template. What is alike is decided by the neighbors as they were.
    void sort_as_amber(bool has_wildcard) {
        auto const like = [&, before = outer_](std::size_t i, std::size_t j) {
            return has_wildcard ? element(before[i]) == element(before[j])
                                : assembly_.type(before[i]) == assembly_.type(before[j]);
        };
        if (like(0, 2)) sort(0, 2);
        if (like(1, 2)) sort(1, 2);
        if (has_wildcard || like(0, 1)) sort(0, 1);
    }
    void sort(std::size_t i, std::size_t j) {
        auto const place = [&](int atom) {
            return std::pair{at(assembly_.topology.atoms, atom).residue, at(assembly_.assignment.atoms, atom).index};
        };
        if (place(outer_[i]) > place(outer_[j])) std::swap(outer_[i], outer_[j]);
    }
    std::optional<Element> element(int atom) const { return at(assembly_.topology.atoms, atom).element; }

    Assembly const& assembly_;
    int center_;
    Outer outer_;
};

}  // namespace

std::optional<ImproperMatch> match_improper(Assembly const& assembly, std::array<int, 4> const& atoms,
                                            int definition_count,
                                            std::function<ImproperDefinition const&(int)> const& definition) {
    auto const types = assembly.types_of(atoms);
    std::optional<ImproperMatch> found;
    for (int i = 0; i < definition_count; ++i) {
        auto const& [selectors, ordering] = definition(i);
        if (!assembly.types.contains(selectors[0], types[0])) continue;
        bool const is_wild = has_wildcard(assembly.types, selectors);
        if (found && is_wild) continue;
        for (auto const& [a, b, c] : permutations) {
            if (!contains_all(assembly.types, selectors, {types[0], types[a], types[b], types[c]})) continue;
            Orderer orderer(assembly, atoms[0], {atoms[a], atoms[b], atoms[c]});
            found = ImproperMatch{i, orderer.ordered(ordering, is_wild)};
            break;
        }
    }
    return found;
}

}  // namespace trotter::app::force_field
