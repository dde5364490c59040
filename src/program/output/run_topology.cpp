// SPDX-License-Identifier: MIT
#include "run_topology.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include <trotter/app/data_files.hpp>
#include <trotter/app/modeller/delete.hpp>
#include <trotter/app/structure/write_structure.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "io/files/checksum.hpp"
#include "program/input/structure_input.hpp"

namespace trotter::program {

std::string RunTopology::identity() const {
    if (!saved_atoms) return {};
    std::string_view const bytes(reinterpret_cast<char const*>(saved_atoms->data()),
                                 saved_atoms->size() * sizeof(int));
    return fmt::format("{} atoms, {:016x}", saved_atoms->size(), detail::checksum(bytes));
}

void RunTopology::write(RunFiles const& files) const {
    if (path.empty()) return;
    auto const copy = files.folder / std::filesystem::path(path).filename();
    std::error_code error;
    if (!std::filesystem::equivalent(path, copy, error)) write_file(copy.string(), text);
}

RunTopology read_run_topology(Options const& options, std::vector<double> const& masses) {
    if (options.save.empty()) {
        auto const& path = options.topology;
        return {path, path.empty() ? std::string{} : read_file(path, options.max_input), {}};
    }
    if (options.topology.empty())
        throw InputError("--save needs --topology, expected a file that names the atoms");
    auto const structure =
        read_named_structure(options.topology, {app::own_data_folders(), options.max_input}, "--topology").structure;
    if (structure.positions.size() != masses.size())
        throw InputError("--topology: " + options.topology + " has " + std::to_string(structure.positions.size())
                         + " atoms, expected one for each of the System's " + std::to_string(masses.size())
                         + " particles, as --save is given");
    auto atoms = selected_atoms(options.save, structure, options.topology, {.charges = {}, .masses = masses, .types = {}});
    auto text = app::structure_text(options.topology, app::keep_atoms(structure, atoms));
    return {options.topology, std::move(text), std::move(atoms)};
}

}  // namespace trotter::program
