// Outputs that would overwrite inputs or each other.
// SPDX-License-Identifier: MIT
#pragma once
#include "program/input/options.hpp"

namespace trotter::program {

/// Throws InputError where a file would be written over one that is read, or over another that is written. The State
/// at the end may replace the State at the start. Of a run also where a name could not be read back from its run.toml.
void check_output_names(Options const& options);

}  // namespace trotter::program
