// Parts of a System of a PSF.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <trotter/app/charmm/create_system.hpp>

#include "../text/text.hpp"
#include "tables.hpp"

namespace trotter::app::charmm {

inline constexpr double kcal = 4.184;  // [kJ]

/// Groups that OpenMM puts the forces of a PSF into.
enum ForceGroup {
    bond_group,
    angle_group,
    dihedral_group,
    urey_bradley_group,
    improper_group,
    map_group,
    nonbonded_group
};

/// A PSF with its parameters that becomes a System.
struct Job {
    Job(Psf const& psf, CharmmParameterTables const& tables, SystemOptions const& options);

    Psf const& psf;
    CharmmParameterTables const& tables;
    SystemOptions const& options;
    bool rigid_water, flexible;          ///< options with their defaults
    std::vector<AtomType const*> types;  ///< of each atom
    std::vector<BondType const*> bonds;  ///< of each bond of the topology

    AtomType const& type(int atom) const { return *types[static_cast<std::size_t>(atom)]; }
    bool is_hydrogen(int atom) const { return type(atom).atomic_number == 1; }
    /// Whether a bond is one of oxygen and hydrogen in water.
    bool is_bond_of_water(Bond const& bond) const;
    /// Names of the types of atoms, as keys of parameters.
    template <std::size_t N> Key names_of(std::array<int, N> const& atoms) const {
        Key names;
        for (int const atom : atoms) names.push_back(type(atom).name);
        return names;
    }
    /// Throws InputError: a term has no parameters.
    [[noreturn]] void refuse_term(std::string_view kind, std::vector<int> const& atoms) const;
};

/// Constraints of bonds, bonds.
void add_bonds(Job const& job, StandardSystem& system);
/// Angles with constraints, and Urey-Bradley terms.
void add_angles(Job const& job, StandardSystem& system);
/// Dihedrals, impropers and maps.
void add_torsions(Job const& job, StandardSystem& system);
/// Virtual sites.
void add_lone_pairs(Job const& job, StandardSystem& system);
/// Charges, Lennard-Jones interactions and exclusions.
void add_nonbonded(Job const& job, StandardSystem& system);
/// A generalized Born model, if the options ask for one.
void add_implicit_solvent(Job const& job, StandardSystem& system);

}  // namespace trotter::app::charmm
