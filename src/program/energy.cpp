// `trotter energy`: one evaluation at the given positions.
// SPDX-License-Identifier: MIT
#include <trotter/error.hpp>

#include "commands.hpp"
#include "evaluation.hpp"
#include "exit_status.hpp"

namespace trotter::program {

int energy(Options const& options) {
    auto inputs = read_inputs(options, {.state = true});
    auto const names = inputs.force_names();
    auto context = make_context(inputs, options);
    release(inputs);
    if (options.place_virtual_sites) context.compute_virtual_sites();
    evaluation_report<InputError>(context, names, options, options.state).write(options.json);
    return done;
}

}  // namespace trotter::program
