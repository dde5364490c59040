// `trotter energy`: one evaluation at the given positions.
// SPDX-License-Identifier: MIT
#include <trotter/error.hpp>

#include "commands.hpp"
#include "evaluation.hpp"
#include "exit_status.hpp"

namespace trotter::program {

int energy(Options const& options, KnownForces const& forces) {
    auto inputs = read_inputs(options, forces, {.state = true});
    auto const names = inputs.system.forces;
    auto context = make_context(inputs, options);
    release(inputs);
    if (options.place_virtual_sites) context.compute_virtual_sites();
    evaluation_report<InputError>(context, names, options, options.state).write(options.json);
    return done;
}

}  // namespace trotter::program
