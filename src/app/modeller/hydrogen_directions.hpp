// Directions of bonds to hydrogens, by the geometry of the atoms around.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/structure.hpp>
#include <vector>

namespace trotter::app {

/// Unit vectors from a heavy atom to each of its new hydrogens.
using Directions = std::vector<Vec3<>>;

/// Atoms around a new hydrogen, in a topology that has it.
struct Surroundings {
    Structure const& structure;
    std::vector<bool> const& is_new;              ///< whether an atom is a hydrogen without a place
    std::vector<std::vector<int>> const& bonded;  ///< to each atom

    Vec3<> position(int atom) const { return structure.positions[static_cast<std::size_t>(atom)]; }
    std::string_view symbol(int atom) const;  ///< of the element; empty for extra particles
    /// Whether the bonds of an atom lie in a plane, by its element and the number of atoms bonded to it.
    bool is_planar(int atom) const;
};

/// `count` directions, evenly distributed.
Directions even_directions(int count);

/// Possible directions of the hydrogens of an atom: one entry if geometry alone decides, more if they can be turned.
/// `oriented` are directions of its hydrogens that are already chosen. An entry may be for some of the other hydrogens
/// alone: of a water, for the first.
std::vector<Directions> hydrogen_directions(Surroundings const& around, int parent, Directions const& oriented = {});

/// Length of a bond to hydrogen [nm] by the symbol of the other element.
double length_of_bond_to_hydrogen(std::string_view symbol);

}  // namespace trotter::app
