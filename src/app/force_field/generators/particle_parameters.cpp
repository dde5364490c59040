// SPDX-License-Identifier: MIT
#include "particle_parameters.hpp"

#include <algorithm>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app::force_field {

void ParticleParameters::read(XmlNode const& node, AtomTypes const& types) {
    std::vector<std::string> from_residues;
    for (auto const use : node.children("UseAttributeFromResidue")) {
        auto const& name = from_residues.emplace_back(use.text("name"));
        if (std::find(names_.begin(), names_.end(), name) == names_.end())
            use.refuse("name", "a parameter of the force");
    }
    read_all(node, types, from_residues);
}

void ParticleParameters::read_all(XmlNode const& node, AtomTypes const& types,
                                  std::vector<std::string> const& from_residues) {
    for (auto const atom : node.children("Atom")) {
        for (auto const& name : from_residues)
            if (atom.has(name))
                atom.fail("has the attribute " + name + ", which <UseAttributeFromResidue> takes from templates");
        auto const selector = types.selector(atom, "");
        if (!selector) continue;
        Entry entry;
        for (auto const& name : names_) {
            bool const is_from_residue =
                std::find(from_residues.begin(), from_residues.end(), name) != from_residues.end();
            entry.values.push_back(is_from_residue ? std::nullopt : std::optional(atom.number(name)));
        }
        for (auto const name : atom.attributes())
            if (name != "type" && name != "class" && std::find(names_.begin(), names_.end(), name) == names_.end())
                entry.extra.emplace_back(name, atom.text(name));
        int const number = count(entries_);
        entries_.push_back(std::move(entry));
        if (selector->kind == TypeSelector::Kind::any) for_any_ = number;
        else (selector->kind == TypeSelector::Kind::type ? by_type_ : by_class_)[selector->number] = number;
    }
}

ParticleParameters::Entry const& ParticleParameters::entry(AtomTypes const& types, int type) const {
    auto const last = [](auto const& entries, int number) {
        auto const found = entries.find(number);
        return found == entries.end() ? -1 : found->second;
    };
    int const found = std::max({for_any_, last(by_type_, type), last(by_class_, types.class_of(type))});
    if (found < 0) throw InputError(force_ + " has no parameters for the atom type " + types.name(type));
    return at(entries_, found);
}

std::vector<double> ParticleParameters::of_atom(Assembly const& assembly, int atom) const {
    int const type = assembly.type(atom);
    auto const& values = entry(assembly.types, type).values;
    auto const& own = at(assembly.assignment.atoms, atom).atom->parameters;
    std::vector<double> result;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        auto const in_template =
            std::find_if(own.begin(), own.end(), [&](auto const& entry) { return entry.first == names_[i]; });
        if (values[i]) result.push_back(*values[i]);
        else if (in_template != own.end()) result.push_back(in_template->second);
        else refuse_missing(names_[i], assembly.types, type);
    }
    return result;
}

std::vector<double> ParticleParameters::of_type(AtomTypes const& types, int type) const {
    auto const& values = entry(types, type).values;
    std::vector<double> result;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (!values[i]) refuse_missing(names_[i], types, type);
        result.push_back(*values[i]);
    }
    return result;
}

std::optional<double> ParticleParameters::extra(AtomTypes const& types, int type, std::string_view name) const {
    for (auto const& [other, text] : entry(types, type).extra)
        if (other == name) {
            auto const number = parse_number(text);
            if (!number)
                throw InputError(force_ + ": " + other + " of the atom type " + types.name(type) + " is \"" + text
                                 + "\", expected a number");
            return number;
        }
    return {};
}

void ParticleParameters::refuse_missing(std::string const& name, AtomTypes const& types, int type) const {
    throw InputError(force_ + ": atoms of the type " + types.name(type) + " have no " + name
                     + ", neither in <Atom> nor in their template");
}

}  // namespace trotter::app::force_field
