// The output folder of a run: one run at a time, and nothing of somebody else's is touched.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

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

    bool has_checkpoint() const;
};

/// Refuses a folder that is not empty unless the options allow it. Nothing is written. Throws InputError.
void check_folder(RunFiles const& files, bool resume, bool overwrite);

/// Makes the folder, keeps other runs out of it as long as it lives, and removes the files of an earlier run where that
/// is wanted. Throws InputError where another run is there, OutputError.
class ClaimedFolder {
public:
    ClaimedFolder(RunFiles const& files, bool remove_earlier_run);
    ClaimedFolder(ClaimedFolder const&) = delete;
    ClaimedFolder& operator=(ClaimedFolder const&) = delete;
    ~ClaimedFolder();

private:
    int descriptor_ = -1;
};

}  // namespace trotter::program
