// Commands of the program: each takes its options and the known forces, and returns the exit status.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::program {

struct Options;
struct KnownForces;
class Signals;

int energy(Options const& options, KnownForces const& forces);
int step(Options const& options, KnownForces const& forces);
int check(Options const& options, KnownForces const& forces);
int minimize(Options const& options, KnownForces const& forces);
/// Handles signals, which terminate the other commands.
int run(Options const& options, KnownForces const& forces, Signals& signals);
int platforms(Options const& options, KnownForces const& forces);
int benchmark(Options const& options, KnownForces const& forces);
/// Makes a StandardSystem, whatever the known forces are.
int prepare(Options const& options, KnownForces const& forces);
/// These read and write files, whatever the known forces are.
int force_fields(Options const& options, KnownForces const& forces);
int convert(Options const& options, KnownForces const& forces);
int select(Options const& options, KnownForces const& forces);
/// Of a trajectory or a log, whatever the known forces are.
int analyze(Options const& options, KnownForces const& forces);
/// Of the folder of a run, whatever the known forces are.
int report(Options const& options, KnownForces const& forces);

}  // namespace trotter::program
