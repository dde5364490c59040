// The inputs of a stage: its System, State and integrator, written into its folder, and the options of its run.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include <trotter/app/stages/stage.hpp>

#include "stage_preparation.hpp"

namespace trotter::program {

/// A stage, or a block of one that repeats, and where it stands.
struct StageUnit {
    app::Stage stage;
    int index = 0;  ///< among the stages of the plan, from 0
    int block = 1;  ///< from 1

    std::string name() const;    ///< with the number of the block, if the stage repeats
    std::string folder() const;  ///< `03-heat`
};

/// What the result of a stage depends on, besides the stage before, as texts by name.
std::map<std::string, std::string> settings_of(StageUnit const& unit, app::StagePlan const& plan,
                                               Options const& options);

/// Where a stage begins, and what it refers to.
struct StageStart {
    std::string state;           ///< path of the State at the end of the stage before
    bool has_velocities = false;  ///< whether these come from motion
    /// Path of the State at the beginning of another stage.
    std::function<std::string(std::string const& stage)> start_of;
};

/// Writes the inputs, and returns the options of the run. Throws InputError naming the stage, OutputError.
Options write_stage_inputs(StageUnit const& unit, app::StagePlan const& plan, Prepared const& prepared,
                           StageStart const& start, Options const& options, std::filesystem::path const& output);

}  // namespace trotter::program
