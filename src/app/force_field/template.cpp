// SPDX-License-Identifier: MIT
#include "template.hpp"

#include <algorithm>
#include <tuple>

#include "at.hpp"

namespace trotter::app::force_field {

bool operator==(SiteRule const& a, SiteRule const& b) {
    if (a.atom != b.atom || a.exclude_with != b.exclude_with || a.site.index() != b.site.index()) return false;
    auto const numbers = [](VirtualSite site) {
        std::vector<double> result;
        std::visit([&](auto& s) { for_each_number(s, [&](double x) { result.push_back(x); }); }, site);
        return result;
    };
    return parents(a.site) == parents(b.site) && numbers(a.site) == numbers(b.site);
}

void Template::add_atom(TemplateAtom atom) {
    int const element = element_number(atom.element);
    graph.atoms.push_back({element, element == 0 ? atom.name : std::string(), {}, 0});
    atoms.push_back(std::move(atom));
}

void Template::add_bond(int atom1, int atom2) {
    bonds.emplace_back(atom1, atom2);
    at(graph.atoms, atom1).bonded.push_back(atom2);
    at(graph.atoms, atom2).bonded.push_back(atom1);
}

void Template::add_external_bond(int atom) {
    external_bonds.push_back(atom);
    ++at(graph.atoms, atom).external_bonds;
}

std::optional<int> Template::find_atom(std::string_view atom_name) const {
    for (int i = 0; i < count(atoms); ++i)
        if (at(atoms, i).name == atom_name) return i;
    return {};
}

bool assign_the_same(Template const& a, std::vector<int> const& atoms_of_a, Template const& b,
                     std::vector<int> const& atoms_of_b) {
    for (std::size_t i = 0; i < atoms_of_a.size(); ++i) {
        auto const &atom_a = at(a.atoms, atoms_of_a[i]), &atom_b = at(b.atoms, atoms_of_b[i]);
        if (atom_a.type != atom_b.type || atom_a.parameters != atom_b.parameters) return false;
    }
    auto const sorted = [](std::vector<Template::FixedDistance> constraints) {
        std::sort(constraints.begin(), constraints.end(), [](auto const& x, auto const& y) {
            return std::tie(x.atom1, x.atom2, x.distance) < std::tie(y.atom1, y.atom2, y.distance);
        });
        constraints.erase(std::unique(constraints.begin(), constraints.end()), constraints.end());
        return constraints;
    };
    return sorted(a.constraints) == sorted(b.constraints) && a.sites == b.sites;
}

bool Templates::add(Template added) {
    if (auto const found = by_name_.find(added.name); found != by_name_.end()) {
        auto const* old = found->second;
        if (added.override_level == old->override_level) return false;
        if (added.override_level < old->override_level) return true;
        std::erase(by_signature_[signature(old->graph)], old);
        by_name_.erase(found);
        auto const place =
            std::find_if(templates_.begin(), templates_.end(), [&](auto const& one) { return one.get() == old; });
        replaced_.push_back(std::move(*place));  // residues may already have it
        templates_.erase(place);
    }
    auto const* kept = templates_.emplace_back(std::make_unique<Template const>(std::move(added))).get();
    by_name_.emplace(kept->name, kept);
    by_signature_[signature(kept->graph)].push_back(kept);
    return true;
}

Template const* Templates::find(std::string_view name) const {
    auto const found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
}

std::vector<Template const*> const& Templates::with_signature(std::uint64_t signature) const {
    static std::vector<Template const*> const none;
    auto const found = by_signature_.find(signature);
    return found == by_signature_.end() ? none : found->second;
}

}  // namespace trotter::app::force_field
