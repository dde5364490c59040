// What a structure lacks in comparison with the sequences of its polymers.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <trotter/app/structure/read_structure.hpp>
#include <trotter/app/structure/standard_bonds.hpp>

namespace trotter::app {

/// Residues of a sequence that have no atoms, between two that have or at an end.
struct MissingResidues {
    int chain = 0;                   ///< index into Topology::chains
    int before = 0;                  ///< how many residues of the chain come before the gap
    std::vector<std::string> names;  ///< of the residues to be put in, standard ones for non-standard
};

/// What find_missing finds; residues are given by their indices.
struct Missing {
    std::vector<MissingResidues> residues;  ///< gaps of the chains
    std::map<int, std::vector<std::string>> atoms;      ///< names of heavy atoms
    std::map<int, std::vector<std::string>> terminals;  ///< names of atoms of ends of chains: OXT
    std::map<int, std::string> nonstandard;             ///< the standard residue to put in place of one
};

/// Compares a topology with the sequences and modified residues that its file declares, by the rules of PDBFixer 1.12.
/// Heavy atoms of standard residues are those of the standard bonds.
Missing find_missing(Topology const& topology, std::vector<PolymerSequence> const& sequences,
                     std::vector<ModifiedResidue> const& modified_residues, StandardBonds const& bonds);

}  // namespace trotter::app
