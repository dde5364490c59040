// SPDX-License-Identifier: MIT
#include "stage_preparation.hpp"

#include <filesystem>

#include <trotter/app/data_files.hpp>
#include <trotter/app/selection.hpp>
#include <trotter/app/structure/read_structure.hpp>
#include <trotter/app/structure/write_structure.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/version.hpp>

#include "preparation.hpp"
#include "program/input/prepare_recipe.hpp"
#include "program/output/messages.hpp"

namespace trotter::program {
namespace {

std::vector<std::string> folders_of(StagesFile const& file, Options const& options) {
    auto folders = data_folders(options.force_field_folders);
    folders.insert(folders.begin(), std::filesystem::absolute(file.path).parent_path().string());
    return folders;
}

void check_input(StagesFile const& file, Options const& options) {
    bool const has_system = !options.system.empty() || !options.state.empty();
    if (file.prepares && has_system)
        throw InputError(file.path + ": has [prepare] and also system or state, expected one of both");
    if (!file.prepares && (options.system.empty() || options.state.empty()))
        throw InputError(file.path + ": has no [prepare], expected it, or system and state beside the stages");
}

void write_topology(PreparedFiles const& files, app::Structure const& structure) {
    write_file(files.structure(), app::to_mmcif(structure));
    try {
        write_file(files.pdb(), app::to_pdb(structure));
    } catch (InputError const&) {  // does not fit into the columns
    }
}

std::vector<Report> reports_of(std::vector<InputRecord> const& inputs) {
    std::vector<Report> result;
    for (auto const& input : inputs)
        result.push_back(Report().add("path", input.path).add("sha256", input.sha256).add("bytes", input.bytes));
    return result;
}

std::vector<Report> reports_of(std::vector<PreparationChoice> const& choices) {
    std::vector<Report> result;
    for (auto const& choice : choices)
        result.push_back(Report()
                             .add("what", choice.what)
                             .add("value", choice.value)
                             .add("default", choice.default_value)
                             .add("source", choice.source));
    return result;
}

void write_report(Report report, PreparedFiles const& files, std::vector<InputRecord> const& inputs,
                  std::vector<PreparationChoice> const& choices) {
    report.add("program", "trotter " + std::string(version))
        .add("inputs", reports_of(inputs))
        .add("choices", reports_of(choices));
    report.write(files.report());
}

void prepare_by_table(StagesFile const& file, Options const& options, PreparedFiles const& files,
                      std::vector<InputRecord> const& inputs) {
    auto table = read_prepare_file(file.path);
    auto const choices = follow_recipe(table);
    auto const result = prepare_structure(table, data_folders(table, options.force_field_folders), options.max_input);
    if (result.structure.positions.size() != result.structure.topology.atoms.size())
        throw InputError(file.path + ": [prepare] names no coordinates, expected them for a simulation");
    for (auto const& warning : result.log.warnings) tell("trotter: warning: " + presentable(warning) + '\n');
    write_topology(files, result.structure);
    write_state(files.state(), state_of(result.structure));
    write_system(files.system(), *result.system);
    write_report(report_of(result), files, inputs, choices);
}

void take_over_system(StagesFile const& file, Options const& options, PreparedFiles const& files,
                      std::vector<InputRecord> const& inputs) {
    auto const system = read_system<StandardForces>(options.system, {.max_bytes = options.max_input});
    auto const state = read_state(options.state, {.max_bytes = options.max_input});
    auto const count = static_cast<std::size_t>(system.particle_count());
    if (state.positions.size() != count)
        throw InputError(options.state + ": the State has " + std::to_string(state.positions.size())
                         + " positions, expected one for each of the System's " + std::to_string(count)
                         + " particles");
    if (!options.topology.empty()) {
        auto structure = app::read_structure(
            options.topology, {.data_folders = folders_of(file, options), .max_bytes = options.max_input});
        if (structure.topology.atoms.size() != count)
            throw InputError(options.topology + ": has " + std::to_string(structure.topology.atoms.size())
                             + " atoms, expected one for each of the System's " + std::to_string(count)
                             + " particles");
        structure.positions = state.positions;
        if (is_periodic(system) && state.box) structure.box = state.box;
        write_topology(files, structure);
    }
    write_state(files.state(), state);
    write_system(files.system(), system);
    write_report(Report().add("particles", count), files, inputs, {});
}

}  // namespace

std::vector<std::string> preparation_inputs(StagesFile const& file, Options const& options) {
    check_input(file, options);
    std::vector<std::string> paths;
    auto const add = [&](std::string const& path) {
        if (!path.empty()) paths.push_back(path);
    };
    if (!file.prepares) {
        for (auto const* path : {&options.system, &options.state, &options.topology}) add(*path);
        return paths;
    }
    auto table = read_prepare_file(file.path);
    follow_recipe(table);
    auto const folders = data_folders(table, options.force_field_folders);
    add(table.input_path);
    add(table.coordinates);
    for (auto const& path : table.parameters) add(path);
    for (auto const* names : {&table.force_fields, &table.hydrogen_definitions})
        for (auto const& name : *names) add(app::find_data_file(name, folders));
    return paths;
}

void write_prepared(StagesFile const& file, Options const& options, PreparedFiles const& files,
                    std::vector<InputRecord> const& inputs) {
    if (file.prepares)
        prepare_by_table(file, options, files, inputs);
    else
        take_over_system(file, options, files, inputs);
}

Prepared read_prepared(StagesFile const& file, Options const& options, PreparedFiles const& files) {
    ReadOptions const limit{.max_bytes = options.max_input};
    Prepared result{.system = read_system<StandardForces>(files.system(), limit),
                    .state = read_state(files.state(), limit),
                    .structure = {},
                    .data_folders = folders_of(file, options)};
    if (std::error_code error; std::filesystem::exists(files.structure(), error)) {
        result.structure = app::read_structure(
            files.structure(), {.data_folders = result.data_folders, .max_bytes = options.max_input});
        result.structure->positions = result.state.positions;
    }
    return result;
}

std::vector<int> Prepared::atoms(std::string const& selection, std::string const& where) const {
    if (!structure)
        throw InputError(where + " selects atoms by what they are, expected `topology` beside system and state: a PDB or "
                                 "mmCIF file");
    app::SelectionData data{.charges = {}, .masses = system.particles.masses, .types = {}};
    try {
        return app::Selection::parse(selection).atoms(*structure, data);
    } catch (InputError const& error) {
        throw InputError(where + ": " + error.what());
    }
}

bool Prepared::has_solute() const {
    return !structure || !app::Selection::parse("not solvent").atoms(*structure).empty();
}

}  // namespace trotter::program
