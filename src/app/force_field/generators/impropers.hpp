// Improper torsions: which definition fits to a center and its neighbors, and in which order it takes them.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "app/force_field/assembly.hpp"

namespace trotter::app::force_field {

/// How the four atoms are ordered, with OpenMM's names.
enum class Ordering { standard, charmm, amber, smirnoff };

/// From the attribute `ordering` of a force; `missing` if it has none. Throws InputError for a name that is not known,
/// and for smirnoff unless `allow_smirnoff`.
Ordering read_ordering(XmlNode const& force, Ordering missing, bool allow_smirnoff);

/// An improper by the types of its atoms, the center first.
struct ImproperDefinition {
    std::array<TypeSelector, 4> selectors;
    Ordering ordering = Ordering::standard;
};

/// The number of a definition, and the atoms in the order of the torsion.
struct ImproperMatch {
    int definition = 0;
    std::array<int, 4> atoms{};
};

/// The definition for a center (first of `atoms`) and three neighbors: the last one without wildcards, else the first
/// one with wildcards before it.
std::optional<ImproperMatch> match_improper(Assembly const& assembly, std::array<int, 4> const& atoms,
                                            int definition_count,
                                            std::function<ImproperDefinition const&(int)> const& definition);

}  // namespace trotter::app::force_field
