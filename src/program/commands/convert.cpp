// `trotter convert`: from one format of structures, coordinates or trajectories to another.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/app/coordinates.hpp>
#include <trotter/app/modeller/delete.hpp>
#include <trotter/app/structure/write_structure.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/state.hpp>

#include "commands.hpp"
#include "convert_trajectory.hpp"
#include "preparation.hpp"
#include "program/exit_status.hpp"
#include "program/input/options.hpp"
#include "program/input/structure_input.hpp"
#include "program/output/messages.hpp"

namespace trotter::program {
namespace {

using app::FileFormat;

std::string_view without_gz(std::string_view name) {
    if (name.ends_with(".gz")) name.remove_suffix(3);
    return name;
}

/// What was read, and whether it says what the atoms are.
struct Source {
    app::Structure structure;
    bool has_names = true;
    std::vector<std::string> warnings;
};

/// Positions of a State or of a file of coordinates; the atoms are those of --topology.
Source with_names(app::Coordinates coordinates, Options const& options, StructureInputOptions const& how) {
    Source source;
    source.has_names = !options.topology.empty();
    if (source.has_names) {
        auto named = read_named_structure(options.topology, how, "--topology");
        auto const count = named.structure.topology.atoms.size();
        if (count != coordinates.positions.size())
            throw InputError(options.input + ": has " + std::to_string(coordinates.positions.size()) + " positions, expected "
                             + std::to_string(count) + " as " + options.topology + " has atoms");
        source.structure.topology = std::move(named.structure.topology);
        source.warnings = std::move(named.warnings);
    }
    source.structure.positions = std::move(coordinates.positions);
    source.structure.velocities = std::move(coordinates.velocities);
    source.structure.box = coordinates.box;
    return source;
}

Source read_source(Options const& options) {
    StructureInputOptions const how{data_folders(options.force_field_folders), options.max_input};
    auto text = read_file(options.input, options.max_input);
    switch (auto const format = app::recognize_format(text)) {
        case FileFormat::state: {
            auto state = parse_state(std::move(text), options.input);
            return with_names({std::move(state.positions), std::move(state.velocities), state.box}, options, how);
        }
        case FileFormat::netcdf:
        case FileFormat::inpcrd:
        case FileFormat::crd:
            return with_names(app::read_coordinates(options.input, how.data_folders), options, how);
        case FileFormat::dcd:
        case FileFormat::xtc:
            refuse_format(options.output_file, format, "a name that ends in .dcd, .xtc or .nc for it");
        default: {
            auto file = read_named_structure(options.input, how);
            if (!options.topology.empty())
                throw InputError("--topology: " + options.input + " names its own atoms, expected no other file for them");
            return {std::move(file.structure), true, std::move(file.warnings)};
        }
    }
}

bool has_formal_charges(app::Topology const& topology) {
    return std::any_of(topology.atoms.begin(), topology.atoms.end(), [](auto const& atom) { return atom.formal_charge.value_or(0) != 0; });
}
bool has_orders(app::Topology const& topology) {
    return std::any_of(topology.bonds.begin(), topology.bonds.end(), [](auto const& bond) { return bond.order.has_value(); });
}

/// What the format of the result cannot hold, of what is there.
std::vector<std::string> losses(Source const& source, std::string_view name) {
    auto const& [structure, has_names, warnings] = source;
    auto const& topology = structure.topology;
    bool const is_state = name.ends_with(".xml"), is_gro = name.ends_with(".gro"), is_json = name.ends_with(".json");
    std::vector<std::string> lost;
    if (!structure.velocities.empty() && !is_state && !is_gro) lost.emplace_back("velocities");
    if (!topology.bonds.empty() && (is_state || is_gro)) lost.push_back(std::to_string(topology.bonds.size()) + " bonds");
    if (has_orders(topology) && !is_json && !is_state && !is_gro) lost.emplace_back("orders of bonds");
    if (has_formal_charges(topology) && (is_state || is_gro)) lost.emplace_back("formal charges");
    if (has_names && is_state) lost.emplace_back("names of atoms, residues and chains");
    if (topology.chains.size() > 1 && is_gro) lost.emplace_back("names of chains");
    if (is_gro && !topology.atoms.empty()) lost.emplace_back("elements");
    bool const has_codes = std::any_of(topology.residues.begin(), topology.residues.end(),
                                       [](auto const& residue) { return !residue.insertion_code.empty(); });
    if (has_codes && is_gro) lost.emplace_back("insertion codes");
    return lost;
}

std::string text_for(Source const& source, Options const& options) {
    if (!without_gz(options.output_file).ends_with(".xml")) {
        if (!source.has_names)
            throw InputError(options.input + ": does not name its atoms, expected --topology with a file that does");
        return app::structure_text(options.output_file, source.structure);
    }
    State state;
    state.positions = source.structure.positions;
    state.velocities = source.structure.velocities;
    state.box = source.structure.box.value_or(Box{});
    return state_to_xml(state);
}

void convert_structure(Options const& options) {
    auto source = read_source(options);
    if (!options.save.empty()) {
        if (!source.has_names) throw InputError("--save needs --topology, expected a file that names the atoms");
        source.structure = app::keep_atoms(source.structure, selected_atoms(options.save, source.structure, options.input));
    }
    auto const text = text_for(source, options);
    write_file(options.output_file, text);
    auto const name = without_gz(options.output_file);
    auto warnings = source.warnings;
    for (auto const& lost : losses(source, name))
        warnings.push_back(options.output_file + " cannot hold " + lost + ", which are lost");
    if (!source.structure.box && name.ends_with(".xml"))
        warnings.push_back(options.output_file + " has a box of 2 nm, as OpenMM reads no State without one");
    for (auto const& warning : warnings) tell("trotter: warning: " + presentable(warning) + '\n');
}

}  // namespace

int convert(Options const& options, KnownForces const&) {
    if (options.input.empty() || options.output_file.empty())
        throw InputError("two files are needed, one to read and one to write (see `trotter help convert`)");
    auto const& name = options.output_file;
    if (name.ends_with(".dcd") || name.ends_with(".xtc") || name.ends_with(".nc"))
        convert_trajectory(options);
    else
        convert_structure(options);
    return done;
}

}  // namespace trotter::program
