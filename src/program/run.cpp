// `trotter run`: a simulation that leaves a log, a trajectory, checkpoints and a final State, and can be resumed.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/state.hpp>
#include <trotter/version.hpp>

#include "commands.hpp"
#include "exit_status.hpp"
#include "inputs.hpp"
#include "progress.hpp"
#include "run_folder.hpp"
#include "run_outputs.hpp"
#include "signals.hpp"
#include "toml_file.hpp"
#include "tune.hpp"

namespace trotter::program {
namespace {

using Clock = std::chrono::steady_clock;

/// The checkpoint that a run goes on from, until its contents are in the Context.
struct Resumed {
    CheckpointReader reader;
    RunIdentity identity;
    RunMark mark;

    explicit Resumed(std::string const& path) : reader(read_checkpoint(path)) {
        auto run = reader.section("run");
        if (auto const made_by = run.get_string(); made_by != version)
            throw InputError(reader.file_name() + " was made by trotter " + made_by + ", and this is "
                             + std::string(version));
        identity = RunIdentity::load(run);
        mark = run.get<RunMark>();
        run.expect_end();
    }
    void load_into(AnyContext& context, RunIdentity const& present) const {
        present.check_resumes(identity, reader.file_name());
        auto state = reader.section("context");
        context.load(state);
        state.expect_end();
    }
};

/// What a resumed run keeps where the user asks for nothing else.
void keep_choices(Options& options, RunIdentity const& earlier) {
    if (options.instruction_set.empty()) options.instruction_set = earlier.instruction_set;
    if (options.list_buffer == 0) options.list_buffer = earlier.list_buffer;
}

/// `--time` in steps.
std::int64_t steps_of(Options const& options, AnyContext const& context) {
    if (options.steps && options.time) throw InputError("--steps and --time exclude each other");
    if (options.steps) return *options.steps;
    if (!options.time) throw InputError("--steps or --time is missing (see `trotter help run`)");
    if (context.step_size() <= 0)
        throw InputError("--time needs an integrator with a fixed step; give --steps instead");
    double const steps = std::round(*options.time / context.step_size());
    if (steps > 1e15) throw InputError("--time: more than 1e15 steps");
    return static_cast<std::int64_t>(steps);
}

/// What happens before the first step of a new run; false where a signal came in the middle of it. A run that is
/// stopped there goes on from the checkpoint that stands before it, and so comes to the same minimum.
bool prepare(AnyContext& context, RunOutputs& outputs, RunMark::Stage stage, Options const& options,
             std::stop_token stop, Progress& progress) {
    if (options.minimize) {
        outputs.write_checkpoint(context, stage);
        auto const result = context.minimize({.stop = stop});
        if (stop.stop_requested()) return false;
        progress.message(fmt::format("minimized in {} iterations to an RMS force of {:.4g} kJ/mol/nm",
                                     result.iterations, result.rms_force));
    }
    if (stage == RunMark::Stage::at_rest) {
        if (options.temperature)
            context.set_velocities_to_temperature(*options.temperature);
        else
            progress.message("the State has no velocities: the run starts at rest (--temperature would draw them)");
    }
    if (options.minimize) outputs.write_checkpoint(context);
    return true;
}

/// Steps until the end, the clock or a signal; returns why it stopped.
enum class Ended { finished, interrupted, out_of_time };
Ended go(AnyContext& context, RunOutputs& outputs, std::int64_t last_step, std::optional<Clock::time_point> deadline,
         std::stop_token stop, Progress& progress) {
    constexpr std::int64_t largest_portion = 100;  // a NaN is found at the end of each
    std::int64_t portion = 1;
    progress.show(outputs.position(context));
    while (context.step_count() < last_step) {
        if (stop.stop_requested()) return Ended::interrupted;
        if (deadline && Clock::now() >= *deadline) return Ended::out_of_time;
        auto const step = context.step_count();
        auto const start = Clock::now();
        auto const taken = context.step(outputs.next_due(step, std::min(last_step, step + portion)) - step, stop);
        portion = Clock::now() - start < std::chrono::milliseconds(100) ? std::min(2 * portion, largest_portion)
                                                                        : std::max<std::int64_t>(portion / 2, 1);
        if (taken > 0) outputs.write_due(context);
        progress.show(outputs.position(context));
    }
    return Ended::finished;
}

/// The options as they took effect, so that a resumed run needs nothing else.
void write_input(RunFiles const& files, Options options, AnyContext const& context, RunFacts const& facts) {
    options.platform = context.platform().platform;
    options.seed = context.seed();
    options.steps = facts.last_step - facts.first_step;
    options.wrap = facts.wrap ? "molecules" : "none";
    write_file(files.input(), effective_toml(options));
}

void copy_topology(RunFiles const& files, Options const& options) {
    if (options.topology.empty()) return;
    auto const copy = files.folder / std::filesystem::path(options.topology).filename();
    std::error_code error;
    if (!std::filesystem::equivalent(options.topology, copy, error))
        write_file(copy.string(), read_file(options.topology, options.max_input));
}

std::optional<Clock::time_point> deadline_of(Options const& options, Clock::time_point begin) {
    if (!options.max_hours) return {};
    constexpr double longest = 1e5;  // hours; more would not fit the clock
    return begin
           + std::chrono::duration_cast<Clock::duration>(
               std::chrono::duration<double>(3600 * std::min(*options.max_hours, longest)));
}

RunFacts facts_of(Inputs const& inputs, AnyContext const& context, Options const& options) {
    auto const& platform = context.platform();
    RunFacts facts{
        .identity = {inputs.checksum, context.seed(), platform.platform, platform.precision, platform.instruction_set,
                     platform.accelerator, options.trajectory, options.list_buffer},
        .periodic = inputs.system.is_periodic,
        .total_mass = inputs.total_mass()};
    facts.wrap = facts.periodic && options.wrap != "none";
    return facts;
}

int finish(Ended ended, StopOnSignal const& signals, AnyContext& context, RunOutputs& outputs, RunFiles const& files,
           Progress& progress) {
    outputs.write_checkpoint(context);
    write_state(files.final_state(), context.state(Positions | Velocities | Parameters | IntegratorParameters));
    std::string const folder = files.folder.string();
    if (ended == Ended::finished) {
        progress.message(fmt::format("done: step {}, results in {}", context.step_count(), folder));
        return done;
    }
    progress.message(fmt::format("{} at step {}; `trotter run --resume --output {}` goes on from there",
                                 ended == Ended::interrupted ? "interrupted" : "out of time", context.step_count(),
                                 folder));
    return ended == Ended::interrupted ? interrupted + signals.received() : done;
}

}  // namespace

int run(Options const& given, KnownForces const& forces) {
    Options options = given;
    auto const begin = Clock::now();
    RunFiles const files{options.output};
    check_folder(files, options.resume, options.overwrite);
    if (!options.topology.empty()) read_file(options.topology, options.max_input);
    StopOnSignal signals;
    Progress progress;

    std::optional<Resumed> resumed;
    std::optional<RunMark> mark;
    if (options.resume && files.has_checkpoint()) resumed.emplace(files.checkpoint());
    if (resumed && !resumed->reader.note().empty()) progress.message(resumed->reader.note());
    auto inputs = read_inputs(options, forces, {.state = !resumed, .integrator = true});
    if (resumed)
        keep_choices(options, resumed->identity);
    else if (options.tune) {
        auto const found = tuned(inputs, options, signals.token());
        progress.message(found.text());
        options = found.options;
    }
    auto context = make_context(inputs, options);
    auto facts = facts_of(inputs, context, options);
    inputs.system = {};
    if (resumed) {
        resumed->load_into(context, facts.identity);
        mark = resumed->mark;
        resumed.reset();
    }
    facts.first_step = mark ? mark->first_step : context.step_count();
    facts.first_step_size = mark ? mark->first_step_size : context.step_size();
    facts.last_step = facts.first_step + steps_of(options, context);

    ClaimedFolder const claimed(files, options.overwrite);
    progress.message(fmt::format("{} in {} precision on {}, seed {}", mark ? "resumed" : "started",
                                 context.platform().precision, context.platform().device, context.seed()));
    write_input(files, options, context, facts);
    copy_topology(files, options);
    auto const stage = mark                               ? mark->stage
                       : inputs.state->velocities.empty() ? RunMark::Stage::at_rest
                                                          : RunMark::Stage::with_velocities;
    release(inputs);

    RunOutputs outputs(files, options, facts, context, mark);
    if (!outputs.note().empty()) progress.message(outputs.note());
    if (stage != RunMark::Stage::prepared && !prepare(context, outputs, stage, options, signals.token(), progress)) {
        progress.message(fmt::format("interrupted before the first step; `trotter run --resume --output {}` begins it",
                                     files.folder.string()));
        return interrupted + signals.received();
    }
    outputs.begin();
    auto const ended = go(context, outputs, facts.last_step, deadline_of(options, begin), signals.token(), progress);
    return finish(ended, signals, context, outputs, files, progress);
}

}  // namespace trotter::program
