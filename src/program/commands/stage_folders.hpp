// The folder of a staged run: names of its files, and what may be removed.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "program/output/stage_manifest.hpp"

namespace trotter::program {

/// Files of 00-prepared.
struct PreparedFiles {
    std::filesystem::path folder;

    std::string system() const { return (folder / "system.xml.gz").string(); }
    std::string state() const { return (folder / "state.xml.gz").string(); }
    std::string structure() const { return (folder / "topology.cif").string(); }
    std::string pdb() const { return (folder / "topology.pdb").string(); }
    std::string report() const { return (folder / "prepare.json").string(); }
};

/// Inputs of a stage, in its folder.
struct StageFiles {
    std::filesystem::path folder;

    std::string system() const { return (folder / "system.xml.gz").string(); }
    std::string state() const { return (folder / "start-state.xml.gz").string(); }
    std::string integrator() const { return (folder / "integrator.xml").string(); }
};

/// Removes the files that stages write from a folder, and the folder if nothing else is in it; the checkpoint first, so
/// that nothing is resumed after an interruption. Throws OutputError.
void remove_stage(std::filesystem::path const& folder);

/// Writes log.csv of a staged run: the logs of all stages that have begun, with their names in a column before the others.
/// Throws OutputError.
void join_logs(std::filesystem::path const& folder, std::vector<StageRecord> const& stages);

/// Columns of a log [ps, K, g/ml]; empty densities without a box.
struct StageLog {
    std::vector<double> times, temperatures, densities;
};

/// Appends the lines of a stage's log. Throws InputError for another file.
void read_stage_log(std::string const& path, StageLog& log);

}  // namespace trotter::program
