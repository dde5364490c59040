// Protein structure files (PSF) of CHARMM, XPLOR, NAMD and VMD.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/structure/residue_names.hpp>
#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>

namespace trotter::app {

/// An atom of a PSF beyond what the topology has.
struct PsfAtom {
    std::string type;   ///< name or number of its type, in upper case
    double charge = 0;  ///< [e]
    double mass = 0;    ///< [amu]
};

/// A lone pair: a site of fixed place relative to two or three atoms.
struct PsfLonePair {
    int site = 0;                    ///< its atom index
    std::vector<int> hosts;          ///< two, on whose line it lies, or three
    double distance = 0;             ///< from the first host [nm]; negative: in the bisector of the others
    double angle = 0, dihedral = 0;  ///< with the other hosts [degree]
};

/// A PSF: atoms, and which of them have terms together. Indices of atoms count from 0.
struct Psf {
    std::string path;            ///< in messages
    Topology topology;           ///< a chain for each segment; elements by mass; names by the Protein Data Bank
    std::optional<Box> box;      ///< PSFs have none: that of the coordinates
    std::vector<PsfAtom> atoms;  ///< one for each atom of the topology
    std::vector<std::array<int, 3>> angles;  ///< the second is the vertex; bonds are those of the topology
    std::vector<std::array<int, 4>> dihedrals;   ///< in the order of the file
    std::vector<std::array<int, 4>> impropers;   ///< the same
    std::vector<std::array<int, 8>> cross_terms;           ///< of two dihedrals
    std::vector<PsfLonePair> lone_pairs;                   ///< virtual sites
};

/// Reads a PSF, plain or gzip. Bonds between the hydrogens of water, and those of lone pairs, are left out. Throws
/// InputError with file, line and what was expected; for polarizable PSFs (DRUDE), too.
Psf read_psf(std::string const& path, ResidueNames const& names);

}  // namespace trotter::app
