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

    auto* convert = app.add_subcommand("convert", "A structure, coordinates or a trajectory in another format");
    convert->add_option("input", options.input, "File to read, its format told by content");
    convert->add_option("output", options.output_file,
                        "File to write: .pdb, .cif, .gro, .json, .xml (a State), which may be followed by .gz, .dcd, .xtc, .nc");
    convert->add_option("--topology", options.topology, "File that names the atoms of a State, of coordinates or of a trajectory");
    convert->add_option("--save", options.save, "Selection of the atoms to write");
    add_common(convert, options);

    auto* select = app.add_subcommand("select", "Atoms that an expression selects, and how it was understood");
    select->add_option("input", options.input, "PDB, mmCIF, gro or JSON file");
    select->add_option("expression", options.expression, "Such as 'protein and not element H'");
    select->add_flag("--json", options.table_as_json, "As JSON, with all indices");
    add_common(select, options);
}

}  // namespace trotter::program
