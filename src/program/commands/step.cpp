// `trotter step`: takes a number of steps without writing run outputs.
// SPDX-License-Identifier: MIT
#include <chrono>

#include <trotter/error.hpp>
#include <trotter/io/state.hpp>

#include "commands.hpp"
#include "evaluation.hpp"
#include "program/exit_status.hpp"

namespace trotter::program {

int step(Options const& options, KnownForces const& forces) {
    if (!options.steps) throw InputError("--steps is missing (see `trotter help step`)");
    auto inputs = read_inputs(options, forces, {.state = true, .integrator = true});
    auto const names = inputs.system.forces;
    auto context = make_context(inputs, options);
    release(inputs);
    check_step_count(context.step_count(), *options.steps);

    double const start_time = context.time();
    auto const start = std::chrono::steady_clock::now();
    context.step(*options.steps);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    auto report = *options.steps == 0 ? evaluation_report<InputError>(context, names, options, options.state)
                                      : evaluation_report<SimulationError>(
                                          context, names, options, "step " + std::to_string(context.step_count()));
    report.add("steps", *options.steps).add("time", context.time()).add("seconds", seconds);
    report.add("ns_per_day", seconds > 0 ? (context.time() - start_time) * 1e-3 * 86400 / seconds : 0.0);
    auto const state = context.state(Positions | Velocities | Parameters | IntegratorParameters);
    if (options.arrays_inline) report.add("positions", state.positions).add("velocities", state.velocities);
    if (!options.out_state.empty()) write_state(options.out_state, state);
    report.write(options.json);
    return done;
}

}  // namespace trotter::program
