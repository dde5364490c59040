// The variant of a residue that none was asked for.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <trotter/app/structure.hpp>
#include <vector>

#include "app/cell_grid.hpp"

namespace trotter::app {

/// A variant of a residue, and why it has it.
struct ChosenVariant {
    std::string name, why;
};

/// Chooses variants of cysteines and histidines as OpenMM's Modeller does.
class Protonation {
public:
    /// `bonded` are the atoms bonded to each atom. Both arguments must outlive it.
    Protonation(Structure const& structure, std::vector<std::vector<int>> const& bonded);

    /// Nothing for a residue of which the pH alone decides. Throws InputError for a histidine without ND1 or NE2.
    std::optional<ChosenVariant> variant(int residue, double ph) const;

private:
    std::optional<ChosenVariant> cysteine(Residue const& residue) const;
    ChosenVariant histidine(int residue) const;
    bool has_hydrogen(int atom) const;
    bool would_make_hydrogen_bond(int nitrogen) const;

    Structure const& structure_;
    std::vector<std::vector<int>> const& bonded_;
    std::vector<int> acceptors_;  // oxygens and nitrogens
    CellGrid grid_;               // of them
};

}  // namespace trotter::app
