// Writes log lines, frames and checkpoints.
// SPDX-License-Identifier: MIT
#include "run_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/version.hpp>

namespace trotter::program {
namespace {

bool due(std::int64_t step, std::int64_t interval) { return interval > 0 && step % interval == 0; }

std::string minimization_text(Options const& options) {
    if (!options.minimize) return "no";
    return fmt::format("to {} kJ/mol/nm", options.tolerance)
           + (options.max_iterations > 0 ? fmt::format(" in at most {} iterations", options.max_iterations) : "");
}

}  // namespace

void RunIdentity::save(Archive& archive) const {
    archive.put(inputs);
    archive.put(state);
    archive.put(seed);
    for (auto const* text : {&platform, &precision, &instruction_set, &accelerator, &trajectory, &saved_atoms})
        archive.put(std::string_view{*text});
    archive.put(list_buffer);
    for (auto const& [option, value] : beginning) archive.put(std::string_view{value});
}

RunIdentity RunIdentity::load(Archive& archive) {
    RunIdentity result;
    result.inputs = archive.get<std::uint64_t>();
    result.state = archive.get<std::uint64_t>();
    result.seed = archive.get<std::uint64_t>();
    for (auto* text : {&result.platform, &result.precision, &result.instruction_set, &result.accelerator, &result.trajectory,
                       &result.saved_atoms})
        *text = archive.get_string();
    result.list_buffer = archive.get<double>();
    for (auto& [option, value] : result.beginning = beginning_of({})) value = archive.get_string();
    return result;
}

void RunIdentity::check_resumes(RunIdentity const& earlier, std::string const& file) const {
    auto const refuse = [&](std::string const& what, std::string const& was, std::string const& is) {
        throw InputError(file + " was made with " + what + " '" + was + "', this run has '" + is
                         + "', and would not go on bit by bit");
    };
    if (inputs != earlier.inputs)
        throw InputError(file + " belongs to another System or integrator: the input files have changed");
    if (state != earlier.state)
        throw InputError(file + " belongs to a run that began with another State, and goes on from its own");
    if (seed != earlier.seed) refuse("the seed", std::to_string(earlier.seed), std::to_string(seed));
    if (platform != earlier.platform) refuse("the platform", earlier.platform, platform);
    if (precision != earlier.precision) refuse("the precision", earlier.precision, precision);
    if (instruction_set != earlier.instruction_set)
        refuse("the instruction set", earlier.instruction_set, instruction_set);
    if (accelerator != earlier.accelerator) refuse("the device", earlier.accelerator, accelerator);
    if (list_buffer != earlier.list_buffer)
        refuse("the list buffer [nm]", fmt::format("{}", earlier.list_buffer), fmt::format("{}", list_buffer));
    for (auto const& [option, value] : beginning)
        if (auto const& was = earlier.beginning.at(option); value != was) refuse(option, was, value);
    if (trajectory != earlier.trajectory) refuse("the trajectory format", earlier.trajectory, trajectory);
    if (saved_atoms != earlier.saved_atoms) refuse("the set of atoms in the trajectory", earlier.saved_atoms, saved_atoms);
}

std::map<std::string, std::string> beginning_of(Options const& options) {
    std::map<std::string, double> parameters;
    for (auto const& [name, value] : options.assignments) parameters[name] = value;
    std::string set;
    for (auto const& [name, value] : parameters) set += (set.empty() ? "" : ", ") + name + "=" + format_number(value);
    std::string ramps;
    for (auto const& [name, ramp] : options.ramps)
        ramps += (ramps.empty() ? "" : "; ") + name + "=" + ramp.text();
    return {{"--set", set},
            {"--ramp", ramps},
            {"--temperature", options.temperature ? format_number(*options.temperature) : ""},
            {"--minimize", minimization_text(options)},
            {"--tune", options.tune ? "yes" : "no"}};
}

RunOutputs::RunOutputs(RunFiles const& files, Options const& options, RunFacts const& facts, AnyContext& context,
                       std::optional<RunMark> const& resume)
    : files_(files),
      facts_(facts),
      log_interval_(options.log_interval),
      trajectory_interval_(options.trajectory == "none" ? 0 : options.trajectory_interval),
      checkpoint_interval_(options.checkpoint_interval),
      speed_(context) {
    auto const goes_on = [&](FileMark RunMark::*file) {
        return resume && ((*resume).*file).bytes > 0 ? std::optional{(*resume).*file} : std::nullopt;
    };
    auto const trajectory = goes_on(&RunMark::trajectory), log = goes_on(&RunMark::log);
    if (options.trajectory != "none" && (trajectory_interval_ > 0 || trajectory)) {
        auto const interval = std::max<std::int64_t>(trajectory_interval_, 1);
        trajectory_.emplace(files.trajectory(options.trajectory), context,
                            TrajectoryReporterSettings{.interval = interval,
                                                       .wrap = facts.wrap,
                                                       .first_step = next_multiple(facts.first_step, interval),
                                                       .last_step = facts.last_step,
                                                       .step_size = facts.first_step_size,
                                                       .resume_at = trajectory,
                                                       .particles = facts.saved_atoms});
    }
    if (log_interval_ > 0 || log)
        log_.emplace(files.log(), context,
                     LogReporterSettings{.interval = std::max<std::int64_t>(log_interval_, 1),
                                         .first_step = facts.first_step,
                                         .last_step = facts.last_step,
                                         .resume_at = log});
}

void RunOutputs::begin() {
    speed_.start_clock();
    if (log_) log_->start_clock();
}

std::string RunOutputs::note() const { return trajectory_ ? trajectory_->note() : ""; }

std::int64_t RunOutputs::next_due(std::int64_t step, std::int64_t limit) const {
    for (auto const interval : {log_interval_, trajectory_interval_, checkpoint_interval_})
        if (interval > 0) limit = std::min(limit, next_multiple(step, interval));
    return limit;
}

void RunOutputs::write_due(AnyContext& context) {
    auto const step = context.step_count();
    if (due(step, log_interval_)) log_->report(context);
    if (due(step, trajectory_interval_)) trajectory_->report(context);
    if (due(step, checkpoint_interval_) && step < facts_.last_step) write_checkpoint(context);
}

Progress::Position RunOutputs::position(AnyContext const& context) const {
    Progress::Position result{.step = context.step_count(),
                              .first_step = facts_.first_step,
                              .last_step = facts_.last_step,
                              .time = context.time()};
    result.ns_per_day = speed_.ns_per_day(result.step, result.time);
    result.remaining = speed_.remaining(result.step, result.last_step);
    return result;
}

void RunOutputs::write_checkpoint(AnyContext& context, RunMark::Stage stage) {
    // Everything that the checkpoint refers to must be on disk before it.
    if (log_) log_->sync();
    if (trajectory_) trajectory_->sync();
    program::write_checkpoint(files_, facts_.identity,
                              {stage, facts_.first_step, facts_.first_step_size, log_ ? log_->mark() : FileMark{},
                               trajectory_ ? trajectory_->mark() : FileMark{}},
                              context);
}

void write_checkpoint(RunFiles const& files, RunIdentity const& identity, RunMark const& mark, AnyContext& context) {
    CheckpointWriter checkpoint;
    auto& run = checkpoint.section("run");
    run.put(version);
    identity.save(run);
    run.put(mark);
    context.save(checkpoint.section("context"));
    checkpoint.write(files.checkpoint());
}

}  // namespace trotter::program
