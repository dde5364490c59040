// Structures in files of GROMACS.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/app/structure.hpp>

namespace trotter::app {

/// Reads the first frame of a gro file, plain or gzip, with velocities if it has them. The format has no chains, elements
/// and bonds: a chain begins where numbers of residues do not go on by one, elements are guessed from names, bonds are the
/// standard ones and disulfides. Names are made standard, by tables in the folders. Throws InputError with file and line.
Structure read_gro_structure(std::string const& path, std::vector<std::string> const& data_folders);

/// Text of a gro file (GROMACS manual, "File formats"): positions to 0.001 nm, velocities to 0.0001 nm/ps if there are
/// any, numbers from 100000 on without their higher digits, names cut after five letters; a box of zeros for
/// none. Throws InputError for a coordinate or velocity that does not fit into its eight columns.
std::string to_gro(Structure const& structure);

}  // namespace trotter::app
