// Options in TOML files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace trotter::program {

struct Options;

/// One key of a file with its value as the command line would have it; a list is several values.
struct TomlEntry {
    std::string key;
    std::string where;  ///< file, line and key, for messages
    std::vector<std::string> values;
};

/// The keys at the top level. Throws InputError for tables and whatever else is no option.
std::vector<TomlEntry> read_toml(std::string const& path);

/// The options of a run with absolute paths, from which it can be resumed or done again. Throws InputError for the name
/// of an input that is no UTF-8: TOML cannot hold it.
std::string effective_toml(Options const& options);

}  // namespace trotter::program
