// Checks that outputs do not overwrite inputs or each other.
// SPDX-License-Identifier: MIT
#pragma once
#include "program/input/options.hpp"

namespace trotter::program {

/// Throws InputError if an output would overwrite an input or another output. The final State may replace the initial
/// State. For a run, also if a name cannot be stored in its run.toml.
void check_output_names(Options const& options);

}  // namespace trotter::program
