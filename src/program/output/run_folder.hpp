// The output folder of a run: one run at a time, and nothing of somebody else's is touched.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace trotter::program {

/// Names of the files in the folder of a run.
struct RunFiles {
    std::filesystem::path folder;

    std::string log() const { return (folder / "log.csv").string(); }
    std::string trajectory(std::string const& format) const { return (folder / ("trajectory." + format)).string(); }
    std::string checkpoint() const { return (folder / "checkpoint").string(); }
    std::string previous_checkpoint() const { return (folder / "checkpoint.previous").string(); }
    std::string final_state() const { return (folder / "final-state.xml.gz").string(); }
    std::string input() const { return (folder / "run.toml").string(); }

    /// All of them.
    std::vector<std::string> names() const;
    bool has_checkpoint() const;
};

/// Removes a link that leads nowhere, which would become the previous checkpoint when the next one is written.
void remove_dead_link(std::string const& path);

/// What may be in the folder when a run begins.
enum class Folder { empty, resumed, overwritten };

/// Refuses a folder that is not empty, or none or files of a wrong kind where a run is to be resumed. Nothing is
/// written. Throws InputError.
void check_folder(RunFiles const& files, Folder expected);

/// Refuses to begin anew where a run without a checkpoint has left results. Throws InputError.
void check_nothing_is_lost(RunFiles const& files);

/// Makes the folder, keeps other runs out of it as long as it lives, looks at it again, since another run may have been
/// there meanwhile, and removes the files of an earlier run where that is wanted. Throws InputError where another run
/// is or was there, OutputError.
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
