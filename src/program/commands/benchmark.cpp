// `trotter benchmark`: the speed of a simulation.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <vector>

#include <trotter/common/threads/profile.hpp>
#include <trotter/error.hpp>

#include "commands.hpp"
#include "evaluation.hpp"
#include "program/exit_status.hpp"
#include "timing.hpp"
#include "tune.hpp"

namespace trotter::program {
namespace {

using Clock = std::chrono::steady_clock;

/// Reports the time to create the simulation, and the part for opening the device, which is independent of the System.
void add_start(Report& report, double context_seconds, PlatformDescription const& platform) {
    report.add("context_seconds", context_seconds);
    if (!platform.accelerator.empty()) report.add("device_seconds", platform.opening_seconds);
}

/// Measures the speed of a simulation of `count` replicas.
template <class Simulation>
Timing measure(Simulation& simulation, int count, Options const& options, Report& report) {
    simulation.step(3);  // compiles and records kernels
    step_for(simulation, std::min(2.0, 0.2 * options.seconds));
    double const start_time = simulation.time();
    auto const timing = step_for(simulation, options.seconds);
    double const nanoseconds = (simulation.time() - start_time) * 1e-3 * count;
    report.add("ns_per_day", nanoseconds * 86400 / timing.seconds);
    report.add("ms_per_step", timing.ms_per_step()).add("steps", timing.steps);
    // of all threads: the cost of a step also on a shared machine
    report.add("processor_ms_per_step", 1000 * timing.processor_seconds / static_cast<double>(timing.steps));
    report.add("seconds", timing.seconds);
    return timing;
}

/// Reports the time of each part of a step, the longest first.
void add_profile(Report& report, Profile const& profile, std::int64_t steps) {
    double const microseconds = 1e6 / static_cast<double>(steps);
    std::vector<std::size_t> order(profile.parts().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) {
        return profile.parts()[i].seconds > profile.parts()[j].seconds;
    });
    std::vector<Report> parts;
    for (std::size_t const n : order) {
        auto const& part = profile.parts()[n];
        parts.emplace_back().add("part", profile.path(n)).add("us_per_step", microseconds * part.seconds);
        parts.back().add("alone_us_per_step", microseconds * (part.seconds - part.parallel_seconds));
        parts.back().add("waiting_us_per_step", microseconds * part.waiting_seconds);
        parts.back().add("calls_per_step", static_cast<double>(part.calls) / static_cast<double>(steps));
    }
    report.add("profile", parts);
}

void add_trials(Report& report, Tuned const& tuned) {
    std::vector<Report> trials;
    for (auto const& trial : tuned.trials)
        trials.emplace_back().add("threads", trial.threads).add("list_buffer", trial.list_buffer).add(
            "ms_per_step", trial.ms_per_step);
    report.add("threads", tuned.options.threads).add("list_buffer", tuned.options.list_buffer).add("tried", trials);
}

/// Rejects devices, whose time would be attributed to wherever the host waits.
void require_host_for_profile(AnyContext const& context) {
    if (!context.platform().accelerator.empty())
        throw UnsupportedError("--profile is for the platforms reference and cpu; the Context is on "
                               + context.platform().device);
}

}  // namespace

int benchmark(Options const& given, KnownForces const& forces) {
    auto inputs = read_inputs(given, forces, {.state = true, .integrator = true});
    auto const names = inputs.system.forces;
    constexpr std::int64_t more_than_anybody_waits_for = 1'000'000'000'000'000;
    check_step_count(inputs.state->step_count, more_than_anybody_waits_for);
    Report report;
    Options options = given;
    if (given.tune) {
        auto const found = tuned(inputs, given);
        add_trials(report, found);
        options = found.options;
    }
    auto const start = Clock::now();
    if (options.replicas > 0) {
        auto replicas = make_replicas(inputs, options);
        auto const& platform = replicas.platform();
        add_start(report, seconds_since(start), platform);
        auto const timing = measure(replicas, options.replicas, options, report);
        report.add("us_per_round", 1e6 * timing.seconds / static_cast<double>(timing.steps));
        report.add("replicas", options.replicas).add("platform", platform.platform);
        report.add("precision", platform.precision).add("device", platform.device).add("seed", replicas.seed());
        report.add("particles", inputs.state->positions.size());
    } else {
        auto context = make_context(inputs, options);
        add_start(report, seconds_since(start), context.platform());
        release(inputs);
        auto const made = Clock::now();
        finite_energy<InputError>(context, options.state);
        report.add("first_energy_seconds", seconds_since(made));
        if (options.profile) require_host_for_profile(context);
        auto const timing = measure(context, 1, options, report);
        if (options.profile) {
            context.profile().start();
            auto const steps = step_for(context, timing.seconds).steps;
            context.profile().stop();
            add_profile(report, context.profile(), steps);
        }
        add_platform(report, context);
    }
    report.write(options.json);
    return done;
}

}  // namespace trotter::program
