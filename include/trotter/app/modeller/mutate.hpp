// Turns residues into others.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/structure.hpp>
#include <trotter/app/structure/standard_bonds.hpp>

namespace trotter::app {

/// A residue that is to become another.
struct Mutation {
    int residue = 0;       ///< its index
    std::string from, to;  ///< names: what it must be, and what it becomes
};

/// From `CHAIN:NUMBER:FROM>TO`, such as `A:48:LYS>ALA`. Throws InputError for another form and if there is no such
/// residue.
Mutation parse_mutation(std::string const& text, Topology const& topology);

/// The structure with these residues changed. The backbone stays where it is, and so do the atoms of the side chain
/// that have the same name and the same place in both residues; others are placed by ideal geometry and the usual
/// rotamers, where they come closest to no other atom. Hydrogens of the residue are taken away: add_hydrogens puts them
/// in. Throws InputError for a residue that is not `from`, with the name found, for a `to` that is no amino acid where
/// one was, or no nucleotide where one was, and for a backbone that is not complete enough to build on.
Structure mutate(Structure const& structure, std::vector<Mutation> const& mutations, StandardBonds const& bonds,
                 ChangeLog* log = nullptr);

}  // namespace trotter::app
