// What every simulation starts from: the files, read and checked, and the Context made of them.
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
    AnyIntegrator integrator;  ///< without a file: one whose kinetic energy is that of the velocities as they are
    std::optional<State> state;
    std::uint64_t checksum = 0;        ///< of the System's and the integrator's text
    std::uint64_t state_checksum = 0;  ///< of the State's

    double total_mass() const;
};

/// The files that a command cannot do without, besides the System.
struct Need {
    bool state = false, integrator = false;
};

/// Reads the files that the options name. Throws InputError where one that is needed was not named.
Inputs read_inputs(Options const& options, KnownForces const& forces, Need need);

/// Makes the Context; a seed is chosen where the options have none, and stands in the Context. The State and the
/// parameters of `--set` are taken over.
AnyContext make_context(Inputs const& inputs, Options const& options);

/// The same for the replicas that the options ask for, each with the State.
AnyReplicas make_replicas(Inputs const& inputs, Options const& options);

/// Places virtual sites that stand elsewhere than their parents say, and tells so: a step would begin with forces on
/// the wrong places. Those that differ by less than files round stay, and with them the bits of a run in pieces.
void place_virtual_sites(AnyContext& context, std::string const& state_name);

/// Throws InputError where so many steps more than the Context has taken cannot be counted.
void check_step_count(std::int64_t first, std::int64_t steps);

/// Gives back the memory of what the Context has copied.
void release(Inputs& inputs);

}  // namespace trotter::program
