// The beginning of a staged run: the folder 00-prepared with a System, a State and a topology.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/structure.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/state.hpp>

#include "program/input/options.hpp"
#include "program/input/stages_file.hpp"
#include "stage_folders.hpp"

namespace trotter::program {

/// Files that the preparation reads: those of [prepare], or the System and the State.
std::vector<std::string> preparation_inputs(StagesFile const& file, Options const& options);

/// Carries out [prepare], completed by its recipe, or takes over the System and the State; writes the folder. Throws
/// InputError, OutputError.
void write_prepared(StagesFile const& file, Options const& options, PreparedFiles const& files,
                    std::vector<InputRecord> const& inputs);

/// What stages begin with.
struct Prepared {
    StandardSystem system;
    State state;
    std::optional<app::Structure> structure;  ///< nothing if a System came without a topology
    std::vector<std::string> data_folders;

    /// Atoms that a selection selects. Throws InputError, beginning with `where`, if it is none, or if there is no
    /// topology.
    std::vector<int> atoms(std::string const& selection, std::string const& where) const;
    /// Whether there is anything but water and ions; true without a topology.
    bool has_solute() const;
};

/// Reads the folder back. Throws InputError.
Prepared read_prepared(StagesFile const& file, Options const& options, PreparedFiles const& files);

}  // namespace trotter::program
