// The options of `trotter analyze`.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>

#include "options.hpp"

namespace CLI {
class App;
}

namespace trotter::program {

/// Adds an option of a command with any number of text values: its name, what it is, and what reads them later.
using AddText = std::function<void(std::string const&, std::string const&, std::function<void(std::string const&)> const&)>;

/// Adds the options of `analyze` to its command. `options` must stay in its place.
void add_analyze_options(CLI::App& analyze, Options& options, AddText const& text);

}  // namespace trotter::program
