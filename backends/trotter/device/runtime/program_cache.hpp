// Caches compiled device programs on disk.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace trotter::device {

/// Disk cache of programs, keyed by their source. Processes may share the folder: entries are written atomically.
/// Damaged entries and read-only folders count as cache misses.
class ProgramCache {
public:
    /// Uses the folder in the environment variable TROTTER_CACHE_DIR (empty: no cache), else $XDG_CACHE_HOME/trotter,
    /// else ~/.cache/trotter.
    ProgramCache();
    /// Uses `folder`; no cache if empty.
    explicit ProgramCache(std::filesystem::path folder);

    /// The cached program for `source`, which must include all it depends on: compiler, device and driver.
    std::optional<std::string> find(std::string_view source) const;
    void keep(std::string_view source, std::string_view program) const;

    /// The cache file for a source.
    std::filesystem::path file(std::string_view source) const;

private:
    std::filesystem::path folder_;
};

}  // namespace trotter::device
