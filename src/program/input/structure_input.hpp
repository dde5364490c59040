// Structures from files of any format that names atoms.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/app/file_format.hpp>
#include <trotter/app/selection.hpp>
#include <trotter/app/structure/read_structure.hpp>

namespace trotter::program {

/// Where and how files of structures are read.
struct StructureInputOptions {
    std::vector<std::string> data_folders;  ///< with the tables of names and bonds
    std::uint64_t max_bytes = 0;            ///< expanded size of a file
};

/// Reads a PDB, mmCIF, gro or JSON file, told apart by content. `what` begins the message for another file, such as
/// `--topology`. Throws InputError.
app::StructureFile read_named_structure(std::string const& path, StructureInputOptions const& options,
                                        std::string const& what = {});

/// Indices of the atoms that `--save` selects. `path` is the file of the structure in messages. Throws InputError if
/// there are none.
std::vector<int> selected_atoms(std::string const& expression, app::Structure const& structure, std::string const& path,
                                app::SelectionData const& data = {});

/// The format as a sentence calls it: `a PDB file`.
std::string name_of(app::FileFormat format);

/// Throws the InputError that a file of this format is not what was expected, and which command takes it.
[[noreturn]] void refuse_format(std::string const& path, app::FileFormat format, std::string const& expected);

}  // namespace trotter::program
