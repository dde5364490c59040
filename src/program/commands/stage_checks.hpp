// What is looked at when a stage has ended.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <trotter/app/stages/stage.hpp>

#include "stage_folders.hpp"

namespace trotter::program {

/// A sentence if the mean temperature of the last half is more than 20 % off the stage's, or the density more than 20 %
/// off its beginning; empty if all is well, or if there are fewer than 20 lines.
std::string what_is_wrong(app::Stage const& stage, StageLog const& log);

/// Whether the density is flat, and why or why not; a short log is not.
std::pair<bool, std::string> flatness(StageLog const& log);

/// Writes report.html of a staged run, with a warning if the page cannot be made. Throws OutputError.
void write_stage_report(std::filesystem::path const& folder, std::vector<std::string> const& data_folders);

}  // namespace trotter::program
