// Compiled device programs kept on disk.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace trotter::device {

/// Finds programs by what they were compiled from. Several processes may share the folder: an entry appears whole or not
/// at all. Damaged entries and folders that cannot be written do no harm: they are as if nothing had been kept.
class ProgramCache {
public:
    /// In the folder that the environment variable TROTTER_CACHE_DIR names (empty: nothing is kept), else in
    /// $XDG_CACHE_HOME/trotter, else in ~/.cache/trotter.
    ProgramCache();
    /// An empty name: nothing is kept.
    explicit ProgramCache(std::filesystem::path folder);

    /// The program that was kept for `source`: all that decides about it, with the compiler, the device and the driver.
    std::optional<std::string> find(std::string_view source) const;
    void keep(std::string_view source, std::string_view program) const;

    /// Where the program of a source is kept.
    std::filesystem::path file(std::string_view source) const;

private:
    std::filesystem::path folder_;
};

}  // namespace trotter::device
