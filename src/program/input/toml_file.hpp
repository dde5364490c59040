// Reads and writes options in TOML files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace trotter::program {

struct Options;

/// One key of a file with its value in command-line syntax; a list is several values.
struct TomlEntry {
    std::string key;
    std::string where;  ///< file, line and key, for messages
    std::vector<std::string> values;
};

/// Top-level keys of a file.
struct TomlOptions {
    std::vector<TomlEntry> entries;
    bool is_staged = false;  ///< whether there are tables `prepare`, `equilibrate`, `stage` or `restraint`, left out here
};

/// Reads the top-level keys. Throws InputError for other tables and anything else that is not an option.
TomlOptions read_toml(std::string const& path);

/// Returns the options of a run with absolute paths, to resume or repeat it. Throws InputError for an input name that
/// is not UTF-8, as TOML requires.
std::string effective_toml(Options const& options);

}  // namespace trotter::program
