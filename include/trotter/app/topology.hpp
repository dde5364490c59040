// What the atoms of a System are: chains, residues, elements and bonds.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/app/element.hpp>

namespace trotter::app {

/// An atom, or an extra particle: a virtual site or a Drude particle, which has no element.
struct Atom {
    std::string name;                  ///< such as `CA`, by the names of the Protein Data Bank
    std::optional<Element> element;    ///< nothing for extra particles
    int residue = 0;                   ///< index into Topology::residues
    std::optional<int> formal_charge;  ///< [e], where the file gives it
};

/// Consecutive atoms of one chain: an amino acid, a nucleotide, a water, a ligand.
struct Residue {
    std::string name;            ///< by the names of the Protein Data Bank: `HOH` for each name of water
    std::string id;              ///< its number as the file writes it
    std::string insertion_code;  ///< empty if there is none
    std::string original_name;   ///< as the file writes it: `WAT`, `HID`
    int chain = 0;               ///< index into Topology::chains
    int first_atom = 0;          ///< index into Topology::atoms
    int atom_count = 0;          ///< its atoms are consecutive
};

/// Consecutive residues.
struct Chain {
    std::string id;         ///< letter or name that the file gives it; may be empty
    int first_residue = 0;  ///< index into Topology::residues
    int residue_count = 0;  ///< its residues are consecutive
};

/// Kinds of bond that files know.
enum class BondType { unknown, single, double_bond, triple, aromatic, amide };

/// A covalent bond of two atoms.
struct Bond {
    int atom1 = 0, atom2 = 0;          ///< indices into Topology::atoms
    BondType type = BondType::unknown;  ///< where the file gives it
    std::optional<int> order;           ///< 1, 2 or 3 where the file gives it
};

/// Chains, their residues, their atoms, in this order, and the bonds of atoms. The index of an atom is that of its
/// particle in the System. Append with the three functions, which keep the ranges consecutive.
struct Topology {
    std::vector<Chain> chains;      ///< in the order of the file
    std::vector<Residue> residues;  ///< those of the first chain first
    std::vector<Atom> atoms;        ///< those of the first residue first
    std::vector<Bond> bonds;        ///< each pair of atoms once

    /// Appends an empty chain; returns its index.
    int add_chain(std::string id);
    /// Appends an empty residue to the last chain; returns its index.
    int add_residue(std::string name, std::string id, std::string insertion_code = {});
    /// Appends an atom to the last residue; returns its index.
    int add_atom(std::string name, std::optional<Element> element, std::optional<int> formal_charge = {});
    /// Appends a bond.
    void add_bond(int atom1, int atom2, BondType type = BondType::unknown, std::optional<int> order = {});

    /// Number of atoms and extra particles.
    int atom_count() const { return static_cast<int>(atoms.size()); }
    /// For each atom the indices of those bonded to it, in the order of the bonds.
    std::vector<std::vector<int>> bonded_atoms() const;
    /// Name of a residue in messages: `ALA A:52`, with the insertion code behind the number.
    std::string residue_name(int residue) const;
};

}  // namespace trotter::app
