// Stages and their records: what is to be done, and what an earlier call of the program has done of it.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "program/output/stage_manifest.hpp"
#include "stage_inputs.hpp"

namespace trotter::program {

/// A stage with its record.
struct PlannedStage {
    StageUnit unit;  ///< of the preparation: without meaning
    StageRecord record;
};

/// All stages, the preparation first, and the files that they read. Blocks beyond the first of a stage that repeats are
/// there as far as the earlier manifest has them.
struct StageTable {
    std::vector<PlannedStage> stages;
    std::vector<InputRecord> inputs;

    StageManifest manifest() const;
    /// Lines for people.
    std::string text() const;
    /// Adds the next block behind this stage.
    void add_block(std::size_t behind, app::StagePlan const& plan, Options const& options);
    /// Whether a stage, or one of its blocks, has the name.
    bool has(std::string const& name) const;
};

/// Whether a name given by the user is that of the stage or of this block of it.
bool is_named(PlannedStage const& stage, std::string const& name);

/// Reads and hashes the input files. Those that are gone are taken as they are in the earlier manifest. Throws
/// InputError.
StageTable planned(StagesFile const& file, Options const& options, StageManifest const& earlier);

/// Takes over what the earlier manifest says of stages before the one called `from`; empty: of all. Throws InputError
/// that names the first stage that has begun, but would be another one now.
void take_over(StageTable& table, StageManifest const& earlier, std::string const& from);

}  // namespace trotter::program
