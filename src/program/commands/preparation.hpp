// Carries out what a table [prepare] asks for.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/structure.hpp>
#include <trotter/app/structure/find_missing.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/state.hpp>

#include "program/input/prepare_file.hpp"
#include "program/output/report.hpp"

namespace trotter::program {

/// What became of a structure.
struct Preparation {
    app::Structure structure;              ///< after the steps; without positions if the input has none
    std::optional<StandardSystem> system;  ///< if one was asked for
    std::optional<app::Missing> missing;   ///< of the step find_missing
    app::Topology searched;                ///< the topology at that step, which `missing` speaks of
    app::ChangeLog log;
};

/// Folders in which force fields and other data are looked for: those of `--forcefields`, then the program's own. Throws
/// InputError if one of the former is no folder.
std::vector<std::string> data_folders(std::vector<std::string> const& given);
/// The same, behind the folder of the TOML file.
std::vector<std::string> data_folders(PrepareFile const& file, std::vector<std::string> const& given);

/// Reads the input, takes the steps, makes the System. `max_bytes` limits the expanded size of each file. Throws
/// InputError.
Preparation prepare_structure(PrepareFile const& file, std::vector<std::string> const& folders,
                              std::uint64_t max_bytes);

/// Numbers of what there is, what was missing, changes and warnings.
Report report_of(Preparation const& result);

/// Positions, velocities and box. OpenMM reads no State without a box: its default stands for none.
State state_of(app::Structure const& structure);

}  // namespace trotter::program
