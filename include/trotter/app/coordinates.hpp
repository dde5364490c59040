// Coordinates beside a topology: files of AMBER, GROMACS, CHARMM and the Protein Data Bank.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// Positions of atoms without what the atoms are.
struct Coordinates {
    std::vector<Vec3<>> positions;   ///< [nm]
    std::vector<Vec3<>> velocities;  ///< [nm/ps], one for each atom, or none
    std::optional<Box> box;          ///< in reduced form; nothing if the file has none, or one of zeros
};

/// Reads coordinates from an inpcrd, rst7 or NetCDF restart of AMBER, a gro file, a CHARMM coordinate file, or a PDB
/// or mmCIF file, plain or gzip, told apart by content. The folders are those of read_structure(), which reads the last
/// two. Throws InputError with file and line for what is wrong or incomplete.
Coordinates read_coordinates(std::string const& path, std::vector<std::string> const& data_folders = {});

}  // namespace trotter::app
