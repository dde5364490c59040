// The commands of the program: each takes its options and returns the exit status.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::program {

struct Options;

int energy(Options const& options);
int step(Options const& options);
int check(Options const& options);
int minimize(Options const& options);
int run(Options const& options);
int platforms(Options const& options);
int benchmark(Options const& options);

}  // namespace trotter::program
