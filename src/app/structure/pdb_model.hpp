// The atoms of a model of a PDB file, with alternate locations and repeated names sorted out.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <trotter/app/structure/read_structure.hpp>

#include "pdb_atom_line.hpp"

namespace trotter::app {

/// One of the places where an atom is seen.
struct PdbLocation {
    char alternate;
    std::string residue_name;  ///< with blanks
    Vec3<> position;
    double occupancy;
};

struct PdbAtom {
    std::string name;  ///< with blanks
    int serial;
    std::string hybrid_serial;  ///< the text where it is no number but begins with a letter, as of hybrid-36
    std::string element;        ///< as written
    std::optional<int> formal_charge;
    std::vector<PdbLocation> locations;  ///< the first in the file first
};

/// What is taken of a residue with alternate locations.
struct PdbChoice {
    std::string residue_name;       ///< without blanks
    std::optional<char> alternate;  ///< the letter; nothing for the first of each atom
};

struct PdbResidue {
    std::string name;  ///< of the first atom, with blanks
    int number;
    char insertion_code;
    std::vector<PdbAtom> atoms;  ///< each name once, where the file has it first
    int atom_count = 0;          ///< those with repeated names counted again

    PdbChoice choose(AlternateLocation which) const;
    /// The location taken of an atom; null if the atom belongs to another residue at the same place.
    static PdbLocation const* location(PdbAtom const& atom, PdbChoice const& choice);
};

struct PdbChain {
    char id;
    std::vector<PdbResidue> residues;
};

/// Collects lines of atoms. New chains and residues begin by the rules of OpenMM: a chain at another letter and behind
/// TER, a residue at another number or insertion code, or at another name unless that is of an alternate location.
class PdbModel {
public:
    /// Throws InputError through the line if it is wrong. Appends to `warnings`.
    void add(PdbLine const& line, std::vector<std::string>& warnings);
    void end_chain();

    std::vector<PdbChain> const& chains() const { return chains_; }
    int repeated_names() const { return repeated_names_; }
    static constexpr int most_warnings = 10;  ///< of repeated names

private:
    PdbResidue& residue_for(PdbAtomLine const& atom);
    int number_of(PdbAtomLine const& atom) const;

    std::vector<PdbChain> chains_;
    bool chain_ended_ = false;
    int next_serial_ = 1, next_residue_ = 1, repeated_names_ = 0;
    std::unordered_map<std::string, std::size_t> atoms_of_residue_;  // by name, of the last residue
};

}  // namespace trotter::app
