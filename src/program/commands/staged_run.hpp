// `trotter run` with stages: a structure is prepared, then each stage is a run in a folder of its own.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::program {

struct Options;
struct KnownForces;
class Signals;

/// Starts or resumes a staged run; returns the exit status. Throws as the commands do.
int staged_run(Options const& options, KnownForces const& forces, Signals& signals);

}  // namespace trotter::program
