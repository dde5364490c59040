// Comparison of a residue with a template.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "graph.hpp"

namespace trotter::app::force_field {

/// The atom of the template for each atom of the residue, or nothing if they differ in elements or bonds. Of several
/// possibilities it is the one that OpenMM finds: names do not matter, except for extra particles. Throws InputError
/// for graphs so symmetric that comparing them would take minutes.
std::optional<std::vector<int>> match(Graph const& residue, Graph const& of_template, bool ignore_external_bonds);

/// Colors of the atoms of two graphs: atoms of different colors cannot be images of one another.
struct Colors {
    std::vector<std::uint64_t> of_residue, of_template;

    /// By element and numbers of bonds.
    Colors(Graph const& residue, Graph const& of_template, bool ignore_external_bonds);
    /// Gives an atom and its image a color of their own.
    void single_out(int atom, int image);
    /// Mixes the colors of bonded atoms into that of each atom until no more colors arise (Weisfeiler and Leman).
    /// Returns false if the graphs have unlike numbers of atoms of a color. `work` grows by the number of atoms
    /// visited.
    bool refine(Graph const& residue, Graph const& of_template, std::int64_t& work);
    /// Mixes in how many atoms of which color are at each distance, which tells apart many atoms that `refine` does
    /// not.
    void mix_distances(Graph const& residue, Graph const& of_template, std::int64_t& work);
    bool agree() const;  ///< whether both have as many atoms of each color
};

}  // namespace trotter::app::force_field
