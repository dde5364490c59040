// What the folder of a run holds for its analysis.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/selection.hpp>
#include <trotter/app/structure.hpp>

namespace trotter::app {

/// Files of a run; those that are not there are missing.
struct RunFolderFiles {
    std::optional<std::string> log;         ///< log.csv
    std::optional<std::string> trajectory;  ///< trajectory.dcd or trajectory.xtc
    /// topology.cif, topology.pdb, or the only file whose name ends in .cif or .pdb.
    std::optional<std::string> topology;
};

/// Looks into a folder. Never throws for what it finds there.
RunFolderFiles find_run_files(std::filesystem::path const& folder);

/// Atoms that a selection needs. Throws InputError that prints the expression if there are none.
std::vector<int> atoms_of(Selection const& selection, Structure const& structure);

/// What is looked at unless something else is asked for: the backbone of polymers; without polymers the heavy atoms that
/// are no solvent; without these all atoms.
Selection main_selection(Structure const& structure);

}  // namespace trotter::app
