// One run into one folder: all of `trotter run` without stages, and each stage of one with them.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::program {

struct Options;
struct KnownForces;
class Signals;

/// Reason for the end of a run.
enum class RunEnd { finished, interrupted, out_of_time };

/// Starts or resumes a run, and simulates until one of the reasons. Throws what becomes an exit status.
RunEnd run_once(Options const& options, KnownForces const& forces, Signals& signals);

}  // namespace trotter::program
