// Options of the commands that look at files and convert them.
// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
}

namespace trotter::program {

struct Options;

/// Adds the commands `forcefields`, `convert` and `select`.
void add_file_commands(CLI::App& app, Options& options);

}  // namespace trotter::program
