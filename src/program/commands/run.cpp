// `trotter run`: a resumable simulation that writes a log, a trajectory, checkpoints and a final State.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/state.hpp>
#include <trotter/version.hpp>

#include "commands.hpp"
#include "program/exit_status.hpp"
#include "program/input/inputs.hpp"
#include "program/input/toml_file.hpp"
#include "program/output/progress.hpp"
#include "program/output/run_folder.hpp"
#include "program/output/run_outputs.hpp"
#include "program/output/run_topology.hpp"
#include "program/signals.hpp"
#include "ramps.hpp"
#include "run.hpp"
#include "staged_run.hpp"
#include "tune.hpp"

namespace trotter::program {
namespace {

using Clock = std::chrono::steady_clock;

/// Checkpoint of a resumed run, until loaded into the Context.
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

/// Returns the checkpoint of a resumed run; nothing if the run was stopped before it wrote one.
std::optional<Resumed> checkpoint_of(RunFiles const& files, Options const& options) {
    // the options were read before the folder was locked
    if (read_file(files.input(), options.max_input) != options.left_input)
        throw InputError(files.input() + " was changed by another run meanwhile; try again");
    std::optional<Resumed> result;
    if (files.has_checkpoint())
        result.emplace(files.checkpoint());
    else
        check_nothing_is_lost(files);
    remove_dead_link(files.checkpoint());
    return result;
}

/// A resumed run has its own State; one that is given again is only compared.
Inputs inputs_of(Options const& options, KnownForces const& forces, std::optional<Resumed> const& resumed) {
    Options read = options;
    if (resumed && !options.state_given) read.state.clear();
    return read_inputs(read, forces, {.state = !resumed, .integrator = true});
}

/// Keeps earlier choices of a resumed run unless the user overrides them.
void keep_choices(Options& options, RunIdentity const& earlier) {
    if (options.instruction_set.empty()) options.instruction_set = earlier.instruction_set;
    if (options.list_buffer == 0) options.list_buffer = earlier.list_buffer;
}

/// Number of steps from `--steps` or `--time`.
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

std::int64_t last_step_of(std::int64_t first, std::int64_t steps) {
    check_step_count(first, steps);
    return first + steps;
}

/// Minimizes and draws velocities before the first step; false if interrupted by a signal. Such a run resumes from the
/// checkpoint before this stage, and so reaches the same minimum.
bool prepare(AnyContext& context, RunOutputs& outputs, RunMark::Stage stage, Options const& options,
             std::stop_token stop, Progress& progress) {
    if (options.minimize) {
        auto const result = context.minimize(
            {.tolerance = options.tolerance, .max_iterations = options.max_iterations, .stop = stop});
        if (stop.stop_requested()) return false;
        progress.message(fmt::format("minimized in {} iterations to an RMS force of {:.4g} kJ/mol/nm",
                                     result.iterations, result.rms_force));
    }
    if (stage == RunMark::Stage::at_rest) {
        if (options.temperature)
            context.set_velocities_to_temperature(*options.temperature);
        else if (outputs.position(context).last_step > context.step_count())
            progress.message("the State has no velocities: the run starts at rest (--temperature would draw them)");
    }
    if (options.minimize) outputs.write_checkpoint(context);
    return true;
}

RunEnd go(AnyContext& context, RunOutputs& outputs, RunRamps const& ramps, std::int64_t last_step,
          std::optional<Clock::time_point> deadline, Signals& signals, Progress& progress) {
    constexpr std::int64_t largest_portion = 100;  // checked for NaN after each portion
    std::int64_t portion = 1;
    progress.show(outputs.position(context));
    while (context.step_count() < last_step) {
        if (signals.token().stop_requested()) return RunEnd::interrupted;
        if (deadline && Clock::now() >= *deadline) return RunEnd::out_of_time;
        auto const step = context.step_count();
        auto const start = Clock::now();
        ramps.apply(context);
        auto const end = ramps.next_change(step, outputs.next_due(step, step + std::min(portion, last_step - step)));
        auto const taken = context.step(end - step, signals.token());
        auto const length = Clock::now() - start;
        signals.is_used_to(length);
        portion = length < std::chrono::milliseconds(100) ? std::min(2 * portion, largest_portion)
                                                          : std::max<std::int64_t>(portion / 2, 1);
        if (taken > 0) {
            auto const lock = signals.uninterrupted();
            outputs.write_due(context);
        }
        progress.show(outputs.position(context));
    }
    return RunEnd::finished;
}

/// Writes the effective options, which are sufficient to resume the run.
void write_input(RunFiles const& files, Options options, AnyContext const& context, RunFacts const& facts) {
    options.platform = context.platform().platform;
    options.seed = context.seed();
    options.steps = facts.last_step - facts.first_step;
    options.wrap = facts.wrap ? "molecules" : "none";
    write_file(files.input(), effective_toml(options));
}

std::optional<Clock::time_point> deadline_of(Options const& options, Clock::time_point begin) {
    if (!options.max_hours) return {};
    constexpr double longest = 1e5;  // hours; more would overflow the clock
    return begin
           + std::chrono::duration_cast<Clock::duration>(
               std::chrono::duration<double>(3600 * std::min(*options.max_hours, longest)));
}

RunFacts facts_of(Inputs const& inputs, RunTopology const& topology, AnyContext const& context, Options const& options) {
    auto const& platform = context.platform();
    RunFacts facts{.identity = {inputs.checksum, inputs.state_checksum, context.seed(), platform.platform,
                                platform.precision, platform.instruction_set, platform.accelerator, options.trajectory,
                                topology.identity(), options.list_buffer, beginning_of(options)}};
    facts.saved_atoms = topology.saved_atoms;
    facts.wrap = inputs.system.is_periodic && options.wrap != "none";
    return facts;
}

/// The folder by which the run is resumed.
std::string resumed_folder(Options const& options, RunFiles const& files) {
    return options.whole_run.empty() ? files.folder.string() : options.whole_run;
}

RunEnd finish(RunEnd ended, Signals& signals, AnyContext& context, RunOutputs& outputs, RunFiles const& files,
              Options const& options, Progress& progress) {
    auto const lock = signals.uninterrupted();
    outputs.write_checkpoint(context);
    write_state(files.final_state(), context.state(Positions | Velocities | Parameters | IntegratorParameters));
    signals.all_is_done();
    if (ended == RunEnd::finished) {
        progress.message(fmt::format("done: step {}, results in {}", context.step_count(), files.folder.string()));
        return ended;
    }
    progress.message(fmt::format("{} at step {}; `trotter run --resume --output {}` goes on from there",
                                 ended == RunEnd::interrupted ? "interrupted" : "out of time", context.step_count(),
                                 resumed_folder(options, files)));
    return ended;
}

std::string words_at_forced_end(RunFiles const& files, Options const& options) {
    auto const folder = resumed_folder(options, files);
    return "interrupted without waiting for the end of a step or of the minimization; "
           + (files.has_checkpoint() ? "`trotter run --resume --output " + folder + "` goes on from the last checkpoint"
                                     : "there is no checkpoint (--checkpoint-interval)");
}

/// A run that is ready to start, or to continue from `mark`.
struct Ready {
    RunFiles const& files;
    Options const& options;
    RunFacts const& facts;
    RunRamps const& ramps;
    std::optional<RunMark> const& mark;
    RunMark::Stage stage;
    std::optional<Clock::time_point> deadline;
};

RunEnd simulate(AnyContext& context, Ready const& run, Signals& signals, Progress& progress) {
    auto const& [files, options, facts, ramps, mark, stage, deadline] = run;
    // from here on the run can always be resumed
    if (!mark && (options.checkpoint_interval > 0 || options.minimize))
        write_checkpoint(files, facts.identity,
                         {.stage = stage, .first_step = facts.first_step, .first_step_size = facts.first_step_size},
                         context);
    signals.set_last_words(words_at_forced_end(files, options));

    RunOutputs outputs(files, options, facts, context, mark);
    if (!outputs.note().empty()) progress.message(outputs.note());
    if (stage != RunMark::Stage::prepared && !prepare(context, outputs, stage, options, signals.token(), progress)) {
        progress.message(fmt::format("interrupted before the first step; `trotter run --resume --output {}` begins it",
                                     files.folder.string()));
        return RunEnd::interrupted;
    }
    outputs.begin();
    auto const ended = go(context, outputs, ramps, facts.last_step, deadline, signals, progress);
    return finish(ended, signals, context, outputs, files, options, progress);
}

}  // namespace

RunEnd run_once(Options const& given, KnownForces const& forces, Signals& signals) {
    Options options = given;
    auto const begin = Clock::now();
    RunFiles const files{options.output};
    if (options.resume && options.overwrite) throw InputError("--resume and --overwrite exclude each other");
    auto const expected = options.resume ? Folder::resumed : options.overwrite ? Folder::overwritten : Folder::empty;
    check_folder(files, expected);
    signals.ask_first("interrupted before the run began");
    Progress progress;

    // A new run creates its folder only after its inputs have been checked; a resumed run locks its folder before
    // reading.
    std::optional<ClaimedFolder> claimed;
    std::optional<Resumed> resumed;
    std::optional<RunMark> mark;
    if (options.resume) {
        claimed.emplace(files, expected);
        resumed = checkpoint_of(files, options);
    }
    if (resumed && !resumed->reader.note().empty()) progress.message(resumed->reader.note());
    auto inputs = inputs_of(options, forces, resumed);
    auto const topology = read_run_topology(options, inputs.system.particles->masses);
    if (resumed)
        keep_choices(options, resumed->identity);
    else if (options.tune) {
        auto const found = tuned(inputs, options, signals.token());
        progress.message(found.text());
        options = found.options;
    }
    auto context = make_context(inputs, options);
    auto facts = facts_of(inputs, topology, context, options);
    inputs.system = {};
    if (resumed) {
        if (!options.state_given) facts.identity.state = resumed->identity.state;
        resumed->load_into(context, facts.identity);
        mark = resumed->mark;
        resumed.reset();
    } else {
        place_virtual_sites(context, options.state);
    }
    facts.first_step = mark ? mark->first_step : context.step_count();
    facts.first_step_size = mark ? mark->first_step_size : context.step_size();
    facts.last_step = last_step_of(facts.first_step, steps_of(options, context));
    if (context.step_count() > facts.last_step) {
        progress.message(fmt::format("done before: the run in {} ends at step {}, and is at step {}", options.output,
                                     facts.last_step, context.step_count()));
        return RunEnd::finished;
    }

    RunRamps const ramps(options.ramps, context, facts.first_step, facts.first_step_size);
    if (!claimed) claimed.emplace(files, expected);
    progress.message(fmt::format("{} at step {} in {} precision on {}, seed {}", mark ? "resumed" : "started",
                                 context.step_count(), context.platform().precision, context.platform().device,
                                 context.seed()));
    write_input(files, options, context, facts);
    topology.write(files);
    auto const stage = mark                               ? mark->stage
                       : inputs.state->velocities.empty() ? RunMark::Stage::at_rest
                                                          : RunMark::Stage::with_velocities;
    release(inputs);
    return simulate(context, {files, options, facts, ramps, mark, stage, deadline_of(options, begin)}, signals, progress);
}

int run(Options const& options, KnownForces const& forces, Signals& signals) {
    if (options.is_staged) return staged_run(options, forces, signals);
    return run_once(options, forces, signals) == RunEnd::interrupted ? signals.status() : done;
}

}  // namespace trotter::program
