// Parts of a System of a top file.
// SPDX-License-Identifier: MIT
#pragma once
#include <numbers>
#include <span>

#include <trotter/app/gromacs/create_system.hpp>

#include "contents.hpp"

namespace trotter::app::gromacs {

inline constexpr double degree = std::numbers::pi / 180;

/// A top file that becomes a System.
struct Job {
    GromacsTop const& top;
    GromacsTopContents const& contents;
    SystemOptions const& options;
    bool rigid_water;

    Atom const& atom(int index) const { return top.topology.atoms[static_cast<std::size_t>(index)]; }
};

/// A molecule, and where it stands in the System.
struct Molecule {
    MoleculeType const& type;
    int first;                               ///< index of its first particle
    std::vector<std::string> const& bonded;  ///< the type of each atom in lists of bonded parameters
};

/// Bonded forces of all molecules; those without terms are not added to a System.
class BondedForces {
public:
    BondedForces();

    /// Adds the terms and constraints of a molecule.
    void add(Job const& job, Molecule const& molecule, StandardSystem& system);
    /// Adds the forces to a System.
    void move_to(StandardSystem& system);

private:
    void add_bonds(Job const& job, Molecule const& molecule, StandardSystem& system);
    void add_angles(Job const& job, Molecule const& molecule, StandardSystem& system);
    void add_angle(Molecule const& molecule, Line const& line, std::span<double const> parameters);
    void add_dihedrals(Job const& job, Molecule const& molecule);
    void add_dihedral(Molecule const& molecule, Line const& line, Line const& parameters);
    void add_maps(Job const& job, Molecule const& molecule);

    HarmonicBondForce bonds_;
    CustomBondForce gromos_bonds_;
    HarmonicAngleForce angles_;
    CustomAngleForce gromos_angles_;
    PeriodicTorsionForce periodic_;
    CustomTorsionForce harmonic_;
    RBTorsionForce ryckaert_bellemans_;
    CMAPTorsionForce maps_;
    std::map<std::pair<int, std::vector<double>>, int> map_indices_;
    std::map<Key, std::vector<Line> const*> found_dihedrals_;  // by types and function
    std::map<std::pair<int, int>, double> lengths_;            // of the molecule's bonds, by indices inside of it
};

/// Lines of `[ dihedraltypes ]` that hold for types and a function, or nothing.
std::vector<Line> const* find_dihedral(DihedralTypes const& types, Key const& four_types, std::string const& function);

/// Charges and Lennard-Jones interactions, pairs and exclusions of all molecules.
void add_nonbonded(Job const& job, std::vector<Molecule> const& molecules, StandardSystem& system);
/// Virtual sites and listed constraints of a molecule.
void add_sites_and_constraints(Molecule const& molecule, StandardSystem& system);

}  // namespace trotter::app::gromacs
