// Protein structure files (PSF) of CHARMM, XPLOR, NAMD and VMD.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>

namespace trotter::app {

/// An atom of a PSF beyond what the topology has.
struct PsfAtom {
    std::string type;   ///< name or number of its type
    double charge = 0;  ///< [e]
    double mass = 0;    ///< [amu]
};

/// A PSF: atoms, and which of them have terms together.
struct Psf {
    std::string path;  ///< in messages
    Topology topology;  ///< a chain for each segment; names by the Protein Data Bank
    std::optional<Box> box;  ///< PSFs have none: that of the coordinates
    std::vector<PsfAtom> atoms;  ///< one for each atom of the topology
    std::vector<std::array<int, 2>> bonds;  ///< atom indices, from 0, as all below
    std::vector<std::array<int, 3>> angles;
    std::vector<std::array<int, 4>> dihedrals, impropers;
    std::vector<std::array<int, 8>> cross_terms;  ///< of two dihedrals
};

/// Reads a PSF, plain or gzip. Throws InputError with file, line and what was expected.
Psf read_psf(std::string const& path);

}  // namespace trotter::app
