// Writes log lines, frames and checkpoints.
// SPDX-License-Identifier: MIT
#include "run_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/units.hpp>
#include <trotter/version.hpp>

#include "evaluation.hpp"

namespace trotter::program {
namespace {

bool due(std::int64_t step, std::int64_t interval) { return interval > 0 && step % interval == 0; }

/// The largest number where that would be beyond it.
std::int64_t next_multiple(std::int64_t step, std::int64_t interval) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    auto const missing = interval - step % interval;
    return missing > most - step ? most : step + missing;
}

constexpr double grams_per_millilitre = 1e21 / constants::avogadro;  ///< of 1 amu/nm³

}  // namespace

void RunIdentity::save(Archive& archive) const {
    archive.put(inputs);
    archive.put(state);
    archive.put(seed);
    for (auto const* text : {&platform, &precision, &instruction_set, &accelerator, &trajectory})
        archive.put(std::string_view{*text});
    archive.put(list_buffer);
    for (auto const& [option, value] : beginning) archive.put(std::string_view{value});
}

RunIdentity RunIdentity::load(Archive& archive) {
    RunIdentity result;
    result.inputs = archive.get<std::uint64_t>();
    result.state = archive.get<std::uint64_t>();
    result.seed = archive.get<std::uint64_t>();
    for (auto* text : {&result.platform, &result.precision, &result.instruction_set, &result.accelerator, &result.trajectory})
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
}

std::map<std::string, std::string> beginning_of(Options const& options) {
    std::map<std::string, double> parameters;
    for (auto const& [name, value] : options.assignments) parameters[name] = value;
    std::string set;
    for (auto const& [name, value] : parameters) set += (set.empty() ? "" : ", ") + name + "=" + format_number(value);
    return {{"--set", set},
            {"--temperature", options.temperature ? format_number(*options.temperature) : ""},
            {"--minimize", options.minimize ? "yes" : "no"},
            {"--tune", options.tune ? "yes" : "no"}};
}

RunOutputs::RunOutputs(RunFiles const& files, Options const& options, RunFacts const& facts, AnyContext const& context,
                       std::optional<RunMark> const& resume)
    : files_(files),
      facts_(facts),
      log_interval_(options.log_interval),
      trajectory_interval_(options.trajectory == "none" ? 0 : options.trajectory_interval),
      checkpoint_interval_(options.checkpoint_interval),
      trajectory_(open_trajectory(files, options, facts, context, resume)),
      start_time_(context.time()),
      start_step_(context.step_count()) {
    bool const log_goes_on = resume && resume->log.bytes > 0;
    if (log_interval_ > 0 || log_goes_on)
        log_.emplace(files.log(), log_goes_on ? std::optional{resume->log} : std::nullopt);
}

RunOutputs::Trajectory RunOutputs::open_trajectory(RunFiles const& files, Options const& options, RunFacts const& facts,
                                                   AnyContext const& context, std::optional<RunMark> const& resume) {
    bool const goes_on = resume && resume->trajectory.bytes > 0;
    if (options.trajectory == "none" || (options.trajectory_interval == 0 && !goes_on)) return NoTrajectory{};
    auto const interval = std::max<std::int64_t>(options.trajectory_interval, 1);
    TrajectorySettings const settings{.particles = context.positions().size(),
                                      .step_size = facts.first_step_size,
                                      .interval = interval,
                                      .first_step = next_multiple(facts.first_step, interval),
                                      .last_step = facts.last_step};
    auto const resume_at = goes_on ? std::optional{resume->trajectory} : std::nullopt;
    auto const path = files.trajectory(options.trajectory);
    if (options.trajectory == "dcd") return DcdWriter(path, settings, resume_at);
    return XtcWriter(path, settings, resume_at);
}

std::string RunOutputs::note() const {
    return std::visit([](auto const& writer) { return writer.note(); }, trajectory_);
}

std::int64_t RunOutputs::next_due(std::int64_t step, std::int64_t limit) const {
    for (auto const interval : {log_interval_, trajectory_interval_, checkpoint_interval_})
        if (interval > 0) limit = std::min(limit, next_multiple(step, interval));
    return limit;
}

void RunOutputs::write_due(AnyContext& context) {
    auto const step = context.step_count();
    if (due(step, log_interval_)) write_log(context);
    if (due(step, trajectory_interval_)) write_frame(context);
    if (due(step, checkpoint_interval_) && step < facts_.last_step) write_checkpoint(context);
}

Progress::Position RunOutputs::position(AnyContext const& context) const {
    Progress::Position result{.step = context.step_count(),
                              .first_step = facts_.first_step,
                              .last_step = facts_.last_step,
                              .time = context.time()};
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (double const steps = static_cast<double>(result.step - start_step_); steps > 0 && seconds > 0) {
        result.ns_per_day = (context.time() - start_time_) * 1e-3 * 86400 / seconds;
        result.remaining = static_cast<double>(result.last_step - result.step) * seconds / steps;
    }
    return result;
}

void RunOutputs::write_log(AnyContext& context) {
    auto const state = finite_state<SimulationError>(context, Energy, context.integration_groups(),
                                                     "step " + std::to_string(context.step_count()));
    auto const now = position(context);
    double const degrees = context.degrees_of_freedom();
    double const length = static_cast<double>(now.last_step - now.first_step);
    LogRow row{.step = now.step,
               .progress = length > 0 ? 100 * static_cast<double>(now.step - now.first_step) / length : 100,
               .time = now.time,
               .potential_energy = state.potential_energy,
               .kinetic_energy = state.kinetic_energy,
               .temperature = degrees > 0 ? 2 * state.kinetic_energy / (degrees * constants::gas_constant) : 0};
    if (facts_.periodic) {
        row.volume = context.box().volume();
        row.density = facts_.total_mass * grams_per_millilitre / context.box().volume();
    }
    if (now.ns_per_day > 0) {
        row.speed = now.ns_per_day;
        row.remaining = now.remaining;
    }
    log_->write(row);
}

void RunOutputs::write_frame(AnyContext const& context) {
    auto const box = facts_.periodic ? std::optional{context.box()} : std::nullopt;
    auto const write = [&](std::span<Vec3<> const> positions) {
        std::visit([&](auto& writer) { writer.write(positions, box, context.step_count(), context.time()); },
                   trajectory_);
    };
    if (facts_.wrap)
        write(wrapped(context));
    else
        write(context.positions());
}

/// Molecules are moved whole, so that the plain mean of their particles lies in the box.
std::vector<Vec3<>> RunOutputs::wrapped(AnyContext const& context) const {
    auto positions = context.positions();
    for (auto const& molecule : context.molecules()) {
        Vec3<> center{};
        for (int const particle : molecule) center += positions[static_cast<std::size_t>(particle)];
        auto const shift = context.box().wrapping_shift(center / static_cast<double>(molecule.size()));
        for (int const particle : molecule) positions[static_cast<std::size_t>(particle)] += shift;
    }
    return positions;
}

void RunOutputs::write_checkpoint(AnyContext& context, RunMark::Stage stage) {
    // What the checkpoint counts on has to be on the disk before it.
    if (log_) log_->sync();
    std::visit([](auto& writer) { writer.sync(); }, trajectory_);
    program::write_checkpoint(files_, facts_.identity,
                              {stage, facts_.first_step, facts_.first_step_size, log_ ? log_->mark() : FileMark{},
                               std::visit([](auto const& writer) -> FileMark { return writer.mark(); }, trajectory_)},
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
