// Output folder of a run: locked against other runs; foreign files are never touched.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace trotter::program {

/// File names in the folder of a run.
struct RunFiles {
    std::filesystem::path folder;

    std::string log() const { return (folder / "log.csv").string(); }
    std::string trajectory(std::string const& format) const { return (folder / ("trajectory." + format)).string(); }
    std::string checkpoint() const { return (folder / "checkpoint").string(); }
    std::string previous_checkpoint() const { return (folder / "checkpoint.previous").string(); }
    std::string final_state() const { return (folder / "final-state.xml.gz").string(); }
    std::string input() const { return (folder / "run.toml").string(); }

    /// All file names.
    std::vector<std::string> names() const;
    bool has_checkpoint() const;
};

/// Removes a dangling link, which would become the previous checkpoint when the next one is written.
void remove_dead_link(std::string const& path);

/// Expected state of the folder when a run starts.
enum class Folder { empty, resumed, overwritten };

/// Throws InputError if the folder is not empty, or, to resume a run, is missing or has files of a wrong kind. Writes
/// nothing.
void check_folder(RunFiles const& files, Folder expected);

/// Throws InputError if restarting would overwrite results of a run without a checkpoint.
void check_nothing_is_lost(RunFiles const& files);

/// Creates the folder, locks it against other runs for its lifetime, checks it again for concurrent changes, and
/// removes the files of an earlier run if requested. Throws InputError if another run is or was there, OutputError.
class ClaimedFolder {
public:
    ClaimedFolder(RunFiles const& files, Folder expected);
    ClaimedFolder(ClaimedFolder const&) = delete;
    ClaimedFolder& operator=(ClaimedFolder const&) = delete;
    ~ClaimedFolder();

private:
    bool is_still(std::filesystem::path const& folder) const;

    int descriptor_ = -1;
};

}  // namespace trotter::program
