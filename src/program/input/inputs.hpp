// Reads and checks the input files of a simulation, and creates its Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <trotter/any_context.hpp>
#include <trotter/any_replicas.hpp>
#include <trotter/program.hpp>

#include "options.hpp"

namespace trotter::program {

struct Inputs {
    AnySystem system;
    AnyIntegrator integrator;  ///< without a file: one whose kinetic energy is that of unshifted velocities
    std::optional<State> state;
    std::uint64_t checksum = 0;        ///< of the texts of System and integrator
    std::uint64_t state_checksum = 0;  ///< of the State's text

    double total_mass() const;
};

/// Files that a command requires, besides the System.
struct Need {
    bool state = false, integrator = false;
};

/// Reads the files that the options name. Throws InputError for a missing required file.
Inputs read_inputs(Options const& options, KnownForces const& forces, Need need);

/// Creates the Context and sets the State and the parameters of `--set`. Chooses a seed if the options have none.
AnyContext make_context(Inputs const& inputs, Options const& options);

/// Creates the requested replicas, each with the State.
AnyReplicas make_replicas(Inputs const& inputs, Options const& options);

/// Recomputes virtual sites that do not match their parents, with a warning: the first step would use forces at wrong
/// positions. Differences within the rounding of files are ignored, so that runs continued from files stay bitwise
/// identical.
void place_virtual_sites(AnyContext& context, std::string const& state_name);

/// Throws InputError if the step count would overflow.
void check_step_count(std::int64_t first, std::int64_t steps);

/// Frees what the Context has copied.
void release(Inputs& inputs);

}  // namespace trotter::program
