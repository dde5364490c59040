// A page about a run: what was asked, what was done, and what came of it.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace trotter::app {

/// Options of write_report.
struct ReportOptions {
    /// Searched for `pdbNames.xml` and `residues.xml`, which the RMSD needs to know what the atoms are.
    std::vector<std::string> data_folders{};
};

/// Writes `report.html` into the folder of a run, or of one with stages: one file of at most 2 MB without scripts, that
/// loads nothing. Files that are missing, cut or damaged do not stop it: the page says what it could not read. Throws
/// InputError if there is no such folder, or none of the files of a run in it; OutputError if the page cannot be written.
void write_report(std::filesystem::path const& folder, ReportOptions const& options = {});

}  // namespace trotter::app
