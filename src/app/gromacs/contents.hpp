// What a top file states, as text of its lines.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trotter/app/gromacs/top.hpp>

#include "../text/text.hpp"

namespace trotter::app {
namespace gromacs {

/// A line of a section: its words.
struct Line {
    std::vector<std::string> words;
    Location where;

    /// A word that must be there, as a number; `what` names it in messages. Throws InputError.
    double real(std::size_t place, std::string_view what) const;
    int integer(std::size_t place, std::string_view what) const;
    /// Throws InputError unless there are this many words.
    void need(std::size_t count, std::string_view section) const;
};

/// A line of `[ atomtypes ]`. What is not there is empty.
struct AtomType {
    std::string name, bonded, atomic_number;
    Line rest;  ///< mass, charge, kind of particle, two Lennard-Jones parameters

    double mass() const { return rest.real(0, "the mass of an atom type"); }
    double charge() const { return rest.real(1, "the charge of an atom type"); }
    /// C6 or sigma, and C12 or epsilon.
    std::array<double, 2> lennard_jones() const {
        return {rest.real(3, "C6 or sigma"), rest.real(4, "C12 or epsilon")};
    }
};

/// A `[ moleculetype ]`. Terms begin with numbers of atoms, from 1.
struct MoleculeType {
    std::string name;
    int exclusion_distance = 0;  ///< nrexcl [bonds]
    std::vector<Line> atoms, bonds, angles, dihedrals, exclusions, pairs, constraints, maps, sites2, sites3;
    Line unsupported_sites{};  ///< of another kind of virtual site, if it has one

    /// The index, from 0, of the atom that a line names. Throws InputError.
    int atom(Line const& line, std::size_t place) const;
    /// The first N of them.
    template <std::size_t N> std::array<int, N> atoms_of(Line const& line) const {
        std::array<int, N> result{};
        for (std::size_t i = 0; i < N; ++i) result[i] = atom(line, i);
        return result;
    }
};

/// How Lennard-Jones parameters of types combine.
enum class CombinationRule { c6_c12 = 1, arithmetic = 2, geometric = 3 };

/// Types of two or more atoms and, for some, the kind of function.
using Key = std::vector<std::string>;

/// Lines by their types; for dihedrals the order of the file matters, and a key may have several.
struct DihedralTypes {
    std::vector<std::pair<Key, std::vector<Line>>> all;
    std::map<Key, std::size_t> places;
};

}  // namespace gromacs

/// A top file as it was read.
struct GromacsTopContents {
    std::deque<std::string> paths;  ///< of the files, for messages
    gromacs::CombinationRule rule = gromacs::CombinationRule::arithmetic;
    bool generates_pairs = true;
    double fudge_lj = 1, fudge_qq = 1;
    std::map<std::string, gromacs::AtomType> atom_types;
    std::map<gromacs::Key, gromacs::Line> bond_types, angle_types, pair_types, map_types, nonbonded_types;
    gromacs::DihedralTypes dihedral_types;
    std::map<std::string, gromacs::MoleculeType> molecule_types;
    std::vector<std::pair<gromacs::MoleculeType const*, int>> molecules;  ///< with their numbers

    /// The type of an atom's line. Throws InputError if it was not defined.
    gromacs::AtomType const& type_of(gromacs::Line const& atom) const;
};

}  // namespace trotter::app
