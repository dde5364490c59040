// The tables [equilibrate], [[stage]] and [[restraint]] of a TOML file.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <toml++/toml.h>

#include <trotter/app/stages/stage.hpp>

namespace trotter::program {

struct Options;

/// What a staged run is asked for.
struct StagesFile {
    std::string path;      ///< of the TOML file
    toml::table document;  ///< all of it
    bool prepares = false;  ///< whether there is a table [prepare]
    app::StagePlan plan;
};

/// Reads the tables: first the stages of the protocol of [equilibrate], then each [[stage]]. Throws InputError with
/// file, line, table and key for what is unknown, missing or wrong, and for expressions that select no atoms.
StagesFile read_stages_file(std::string const& path);

/// Text of a TOML file that says the same with absolute paths, and with the options in use.
std::string effective_stages(StagesFile const& file, Options const& options);

}  // namespace trotter::program
