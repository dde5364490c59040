// `trotter benchmark`: the speed of a simulation.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "commands.hpp"
#include "evaluation.hpp"
#include "exit_status.hpp"

namespace trotter::program {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Timing {
    std::int64_t steps = 0;
    double seconds = 0, processor_seconds = 0;
};

/// Steps for about this time, in portions that grow until the clock costs nothing beside them.
Timing step_for(AnyContext& context, double seconds) {
    Timing timing;
    auto const start = Clock::now();
    std::clock_t const processor_start = std::clock();
    for (std::int64_t portion = 1; timing.seconds < seconds;) {
        timing.steps += context.step(portion);
        timing.seconds = seconds_since(start);
        double const left = (seconds - timing.seconds) * static_cast<double>(timing.steps) / timing.seconds;
        portion = std::clamp<std::int64_t>(std::llround(std::min(left, 1e9)), 1, 2 * portion);
    }
    timing.processor_seconds = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
    return timing;
}

}  // namespace

int benchmark(Options const& options, KnownForces const& forces) {
    auto inputs = read_inputs(options, forces, {.state = true, .integrator = true});
    auto const start = Clock::now();
    auto context = make_context(inputs, options);
    double const context_seconds = seconds_since(start);
    release(inputs);

    step_for(context, std::min(2.0, 0.2 * options.seconds));
    double const start_time = context.time();
    auto const timing = step_for(context, options.seconds);

    Report report;
    report.add("ns_per_day", (context.time() - start_time) * 1e-3 * 86400 / timing.seconds);
    report.add("ms_per_step", 1000 * timing.seconds / static_cast<double>(timing.steps)).add("steps", timing.steps);
    // of all threads: what a step costs on a machine that others use too
    report.add("processor_ms_per_step", 1000 * timing.processor_seconds / static_cast<double>(timing.steps));
    report.add("seconds", timing.seconds).add("context_seconds", context_seconds);
    add_platform(report, context);
    report.write(options.json);
    return done;
}

}  // namespace trotter::program
