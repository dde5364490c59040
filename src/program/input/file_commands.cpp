// SPDX-License-Identifier: MIT
#include "file_commands.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>

#include "options.hpp"

namespace trotter::program {
namespace {

void add_common(CLI::App* command, Options& options) {
    command
        ->add_option("--forcefields", options.force_field_folders,
                     "Folder with force fields and tables of names, searched before the program's own; may be repeated")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--max-input", options.max_input, "Largest expanded input file [bytes]")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{INT64_MAX}));
}

}  // namespace

void add_file_commands(CLI::App& app, Options& options) {
    auto* list = app.add_subcommand("forcefields", "Force fields that are found, and the residues of one");
    list->add_option("input", options.input, "File whose residues are listed, by its name in a folder or its path");
    list->add_flag("--json", options.table_as_json, "As JSON");
    add_common(list, options);
}

}  // namespace trotter::program
