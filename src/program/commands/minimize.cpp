// `trotter minimize`: local energy minimization.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <trotter/error.hpp>
#include <trotter/io/state.hpp>

#include "commands.hpp"
#include "evaluation.hpp"
#include "program/exit_status.hpp"

namespace trotter::program {

int minimize(Options const& options, KnownForces const& forces) {
    if (options.out_state.empty()) throw InputError("--out-state is missing (see `trotter help minimize`)");
    auto inputs = read_inputs(options, forces, {.state = true});
    auto const names = inputs.system.forces;
    auto context = make_context(inputs, options);
    release(inputs);

    auto const result = context.minimize({.tolerance = options.tolerance, .max_iterations = options.max_iterations});
    std::string const where = "after minimization";
    if (!std::isfinite(result.rms_force)) finite_state<SimulationError>(context, Forces, {}, where);
    auto report = evaluation_report<SimulationError>(context, names, options, where);
    report.add("iterations", result.iterations)
        .add("rms_force", result.rms_force)
        .add("converged", result.rms_force <= options.tolerance);
    auto const state = context.state(Positions | Velocities | Parameters | IntegratorParameters);
    if (options.arrays_inline) report.add("positions", state.positions);
    write_state(options.out_state, state);
    report.write(options.json);
    return done;
}

}  // namespace trotter::program
