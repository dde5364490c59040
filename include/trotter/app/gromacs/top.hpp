// Topology files of GROMACS.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/structure/residue_names.hpp>
#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>

namespace trotter::app {

struct GromacsTopContents;

/// How a top file is read.
struct ReadTopOptions {
    std::vector<std::string> include_folders;  ///< searched for included files after the folder of the file itself
    std::vector<std::string> defines;          ///< macros from outside: `NAME` or `NAME=VALUE`
};

/// A top file with all that it includes (GROMACS reference manual, chapter "Topology file formats").
struct GromacsTop {
    std::string path;                                    ///< in messages
    std::shared_ptr<GromacsTopContents const> contents;  ///< molecules and parameters
    Topology topology;                                   ///< a chain for each molecule; names by the Protein Data Bank
    std::optional<Box> box;                              ///< top files have none: that of the coordinates
    std::vector<std::string> ignored_sections;           ///< such as `position_restraints`, which no System has
};

/// Reads a top file, plain or gzip. Throws InputError with file, line and what was expected.
GromacsTop read_top(std::string const& path, ResidueNames const& names, ReadTopOptions const& options = {});

}  // namespace trotter::app
