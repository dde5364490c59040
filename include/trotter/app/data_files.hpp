// Where the files of force fields, residue names and hydrogens are found.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app {

/// Path of a data file such as `amber14-all.xml`, `hydrogens.xml` or `amber14/tip3p.xml`: the first of `folders` that has
/// a regular file of this name, or of this name and `.gz`, then the name itself as a path. Nothing if none has it.
std::optional<std::string> locate_data_file(std::string_view name, std::vector<std::string> const& folders);

/// The same. Throws InputError naming the file, the folders searched and the option `--forcefields` if none has it.
std::string find_data_file(std::string_view name, std::vector<std::string> const& folders);

/// Folders that have the data without being asked for, those that are there: the ones of the environment variable
/// TROTTER_FORCEFIELDS, separated by colons; `share/trotter/forcefields` beside the program, or the shared library that
/// holds this code, and in the two folders above it; that of the installation.
std::vector<std::string> own_data_folders();

}  // namespace trotter::app
