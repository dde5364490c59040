// Periodic and Ryckaert-Bellemans torsions, and energy correction maps.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <vector>

#include "definitions.hpp"
#include "impropers.hpp"

namespace trotter::app::force_field {

/// `<PeriodicTorsionForce>`.
struct PeriodicTorsions {
    static constexpr std::string_view tag = "PeriodicTorsionForce";
    static constexpr bool is_shared = true;  ///< a second element adds to the first

    struct Term {
        int periodicity = 1;
        double phase = 0, k = 0;
    };
    struct Definition {
        ImproperDefinition atoms;
        std::vector<Term> terms;
    };
    std::vector<Definition> propers, impropers;
    DefinitionIndex proper_index;  ///< of the two middle atoms

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;

private:
    void add_propers(Assembly const& assembly, PeriodicTorsionForce& force) const;
    void add_impropers(Assembly const& assembly, PeriodicTorsionForce& force) const;
    Definition const* find_proper(AtomTypes const& types, std::array<int, 4> const& of_atoms) const;
};

/// `<RBTorsionForce>`.
struct RBTorsions {
    static constexpr std::string_view tag = "RBTorsionForce";
    static constexpr bool is_shared = true;

    struct Definition {
        ImproperDefinition atoms;
        std::array<double, 6> c{};
    };
    std::vector<Definition> propers, impropers;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

/// `<CMAPTorsionForce>`.
struct CMAPTorsions {
    static constexpr std::string_view tag = "CMAPTorsionForce";
    static constexpr bool is_shared = true;

    struct Definition {
        std::array<TypeSelector, 5> selectors;
        int map = 0;
    };
    std::vector<CMAPTorsionForce::Map> maps;
    std::vector<Definition> definitions;

    void read(XmlNode const& node, AtomTypes const& types);
    int create(Assembly& assembly) const;
};

/// The first definition without wildcards that fits to types in either direction, else the first one with.
template <class Definitions, std::size_t N, class Selectors>
auto const* find_specific(AtomTypes const& types, Definitions const& definitions, std::array<int, N> const& of_atoms,
                          Selectors const& selectors_of) {
    typename Definitions::value_type const* found = nullptr;
    for (auto const& definition : definitions) {
        auto const& selectors = selectors_of(definition);
        if (!match_either_way(types, selectors, of_atoms)) continue;
        if (!has_wildcard(types, selectors)) return &definition;
        if (!found) found = &definition;
    }
    return found;
}

}  // namespace trotter::app::force_field
