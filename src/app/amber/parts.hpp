// Parts of a System of a prmtop file.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/amber/create_system.hpp>

#include "prmtop_values.hpp"

namespace trotter::app::amber {

/// A prmtop file that becomes a System.
struct Job {
    Prmtop const& prmtop;
    PrmtopValues values;
    SystemOptions const& options;
    bool rigid_water, flexible;  ///< options with their defaults

    /// Whether an atom belongs to a residue that AMBER's programs call water.
    bool is_water(int atom) const;
    /// Whether an atom is an extra point.
    bool is_extra_point(int atom) const { return !prmtop.topology.atoms[static_cast<std::size_t>(atom)].element; }
};

/// A bond, or a distance with a spring.
struct BondTerm {
    int atom1, atom2;
    double k, length;  ///< E = k (r - length)² [kJ/mol/nm²], [nm]
};
/// Bonds with a hydrogen, and without.
std::vector<BondTerm> bonds_with_hydrogen(Job const& job);
std::vector<BondTerm> bonds_without_hydrogen(Job const& job);

/// Constraints of bonds; bonds, Urey-Bradley terms.
void add_bonds(Job const& job, StandardSystem& system);
/// Angles, and constraints of angles by those of their bonds.
void add_angles(Job const& job, StandardSystem& system);
/// Dihedrals, improper dihedrals of CHARMM, and energy correction maps.
void add_torsions(Job const& job, StandardSystem& system);
/// Charges, Lennard-Jones interactions, 1-4 pairs and exclusions.
void add_nonbonded(Job const& job, StandardSystem& system);
/// Virtual sites of water. Throws InputError for extra points outside of it.
void add_extra_points(Job const& job, StandardSystem& system);
/// A generalized Born model, if the options ask for one.
void add_implicit_solvent(Job const& job, StandardSystem& system);

}  // namespace trotter::app::amber
