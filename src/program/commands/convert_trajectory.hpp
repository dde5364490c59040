// From one format of trajectories to another.
// SPDX-License-Identifier: MIT
#pragma once
namespace trotter::program {

struct Options;

/// Writes the frames of one file into another, whose name tells the format. Throws InputError, and OutputError; then there
/// is no new file.
void convert_trajectory(Options const& options);

}  // namespace trotter::program
