// What the folder of a run tells about it.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <trotter/app/analysis/log_table.hpp>
#include <vector>

#include <nlohmann/json.hpp>

namespace trotter::app::page {

using Json = nlohmann::json;

/// A stage as the manifest describes it.
struct Stage {
    std::string name;
    std::filesystem::path folder;  ///< with its files
    std::string kind;              ///< prepare, minimize, simulate
    std::string status;            ///< waiting, running, done, failed
    std::string message;           ///< of a failure
    std::optional<double> steps, timestep, time, temperature, pressure, seconds{};
    std::optional<LogTable> log{};
};

/// All that could be read; warnings say what could not.
struct RunFacts {
    std::filesystem::path folder;
    bool is_staged = false;
    std::string program;              ///< name and version, as the manifest says
    std::optional<std::string> input;  ///< text of run.toml
    Json inputs = Json::array();       ///< objects with path, sha256 and bytes
    std::vector<Stage> stages;         ///< a plain run is one
    Json preparation;                  ///< prepare.json; null if there is none
    std::vector<std::string> warnings;

    /// The last stage that simulates and has lines in its log; null if there is none.
    Stage const* last_simulation() const;
};

/// Reads the folder. Throws InputError if it is none, or holds no file of a run.
RunFacts read_run(std::filesystem::path const& folder);

///@{
/// A member as text, empty if it is absent; and as a number.
std::string text_of(Json const& object, char const* key);
std::optional<double> number_of(Json const& object, char const* key);
///@}

}  // namespace trotter::app::page
