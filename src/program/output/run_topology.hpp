// The topology beside a trajectory, and the atoms that both hold.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "program/input/options.hpp"
#include "run_folder.hpp"

namespace trotter::program {

/// What `--topology` and `--save` ask for.
struct RunTopology {
    std::string path, text;                        ///< of the file given, and for the one to write; empty: none
    std::optional<std::vector<int>> saved_atoms;  ///< indices, ascending; nothing: all

    /// Number and checksum of the saved atoms; empty if these are all.
    std::string identity() const;
    /// Writes the file into the folder of the run, unless it is the one that was read.
    void write(RunFiles const& files) const;
};

/// Reads the file. Without `--save` it is copied, whatever it holds; with it, it names the particles, whose masses [amu]
/// the selection may ask for, and becomes one of the selected atoms. Throws InputError unless it has as many atoms as
/// there are particles, and the selection at least one.
RunTopology read_run_topology(Options const& options, std::vector<double> const& masses);

}  // namespace trotter::program
