// The manifest of a staged run: which stages there are, and how far they are.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trotter::program {

/// A file that a staged run read.
struct InputRecord {
    std::string path, sha256;
    std::uint64_t bytes = 0;
};

/// Reads and hashes a file as it stands on disk. Throws InputError.
InputRecord input_record(std::string const& path);

enum class StageStatus { waiting, running, done, failed };

/// A stage, or a block of a stage that repeats.
struct StageRecord {
    std::string name, folder, kind;
    StageStatus status = StageStatus::waiting;
    std::int64_t steps = 0;
    double timestep = 0, time = 0;                ///< [ps]
    std::optional<double> temperature, pressure;  ///< at the end [K, bar]
    double seconds = 0;                           ///< wall time
    std::string message;                          ///< of the failure, or why it was left out
    std::map<std::string, std::string> settings;  ///< what the result depends on, besides the stage before
    std::string inputs_sha256;                    ///< hash of the settings and of that of the stage before

    /// Sets the hash.
    void chain_to(std::string const& hash_before);
};

/// The file stages.json.
struct StageManifest {
    std::vector<InputRecord> inputs;
    std::vector<StageRecord> stages;

    /// The record of this name, or null.
    StageRecord* find(std::string const& name);
    /// Replaces the file. Throws OutputError.
    void write(std::filesystem::path const& folder) const;
    /// Reads stages.json of the folder; nothing if it is not there. Throws InputError.
    static std::optional<StageManifest> read(std::filesystem::path const& folder);
};

}  // namespace trotter::program
