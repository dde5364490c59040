// Options of a run that stand in TOML files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <CLI/CLI.hpp>

#include "options.hpp"

namespace trotter::program {

/// Removes line breaks from a message, as scripts read one line.
std::string one_line(std::string text);

/// Applies the options of a file that neither the command line nor earlier files have set. A file with tables of stages
/// makes the run a staged one. Throws InputError.
void apply_toml(CLI::App& command, std::string const& path, Options& options);

/// Applies the options that a resumed run has recorded. Throws InputError.
void apply_left(CLI::App& command, Options& options);

/// Throws InputError if an option is given that a staged run has for each stage.
void check_is_staged(CLI::App& command);

}  // namespace trotter::program
