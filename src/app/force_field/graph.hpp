// The atoms of a residue or template and the bonds between them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/element.hpp>

namespace trotter::app::force_field {

/// Number of an element, different for deuterium; 0 for an extra particle.
int element_number(std::optional<Element> const& element);

/// What templates are compared by.
struct Graph {
    struct Atom {
        int element = 0;          ///< see element_number
        std::string name;         ///< of an extra particle; atoms are not told apart by name
        std::vector<int> bonded;  ///< atoms of the graph
        int external_bonds = 0;   ///< to atoms outside
    };
    std::vector<Atom> atoms;

    Graph without_extra_particles() const;
};

/// A number for the counts of elements, extra particles not counted, which is the sum of those of the atoms: what
/// changes it in one residue changes it in any. Different counts give the same number with a probability of 2^-64.
std::uint64_t signature(int element);
std::uint64_t signature(Graph const& graph);

/// All that decides about the match of a residue, as a key.
std::string fingerprint(Graph const& graph);

}  // namespace trotter::app::force_field
