// Parameters of particles by their types.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/force_field/assembly.hpp"

namespace trotter::app::force_field {

/// The `<Atom>` elements of a force. Of several for a type the last one counts.
class ParticleParameters {
public:
    /// `force` is its name in messages.
    ParticleParameters(std::string force, std::vector<std::string> names)
        : force_(std::move(force)), names_(std::move(names)) {}

    /// Reads the elements. Those of `from_residues` come from the atoms of templates instead.
    void read(XmlNode const& node, AtomTypes const& types);
    /// The same without `<UseAttributeFromResidue>`.
    void read_all(XmlNode const& node, AtomTypes const& types, std::vector<std::string> const& from_residues = {});

    /// The values for an atom, in the order of the names. Throws InputError if the type has no parameters, or one is
    /// neither among them nor in the template.
    std::vector<double> of_atom(Assembly const& assembly, int atom) const;
    /// The values for a type that no template may give.
    std::vector<double> of_type(AtomTypes const& types, int type) const;
    /// A further attribute of the element; nothing if it has none of the name.
    std::optional<double> extra(AtomTypes const& types, int type, std::string_view name) const;

private:
    struct Entry {
        std::vector<std::optional<double>> values;  // by name
        std::vector<std::pair<std::string, std::string>> extra;
    };
    Entry const& entry(AtomTypes const& types, int type) const;
    [[noreturn]] void refuse_missing(std::string const& name, AtomTypes const& types, int type) const;

    std::string force_;
    std::vector<std::string> names_;
    std::vector<Entry> entries_;
    std::unordered_map<int, int> by_type_, by_class_;  // the last entry
    int for_any_ = -1;
};

}  // namespace trotter::app::force_field
