// What a run writes while it goes: log, trajectory and checkpoints.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/io/checkpoint.hpp>
#include <trotter/io/reporters.hpp>

#include "program/input/inputs.hpp"
#include "program/input/options.hpp"
#include "progress.hpp"
#include "run_folder.hpp"

namespace trotter::program {

/// What a run is, apart from its state: a checkpoint is good for the run that has the same.
struct RunIdentity {
    std::uint64_t inputs = 0;  ///< checksum of System and integrator
    std::uint64_t state = 0;   ///< checksum of the State that the run began with
    std::uint64_t seed = 0;
    std::string platform, precision, instruction_set, accelerator, trajectory;
    double list_buffer = 0;
    std::map<std::string, std::string> beginning;  ///< options that act before the first step, or from it on

    void save(Archive& archive) const;
    static RunIdentity load(Archive& archive);
    /// Throws InputError that says what differs from the run that the checkpoint `file` comes from.
    void check_resumes(RunIdentity const& earlier, std::string const& file) const;
};

/// `--set`, `--temperature`, `--minimize` and `--tune` as texts.
std::map<std::string, std::string> beginning_of(Options const& options);

/// What a run began with, and how much of its files belongs to a checkpoint.
struct RunMark {
    /// Whether minimization and velocities, which come before the first step, are done; else what the State held.
    enum class Stage : std::int64_t { at_rest, with_velocities, prepared } stage = Stage::prepared;
    std::int64_t first_step = 0;
    double first_step_size = 0;  ///< [ps]; trajectories state one, also those of variable steps
    FileMark log{}, trajectory{};  ///< without bytes where there was no such file
};

/// What stays the same during a run.
struct RunFacts {
    RunIdentity identity;
    std::int64_t first_step = 0, last_step = 0;
    double first_step_size = 0;  ///< [ps]
    bool wrap = false;
};

/// Writes a checkpoint of the present state.
void write_checkpoint(RunFiles const& files, RunIdentity const& identity, RunMark const& mark, AnyContext& context);

/// Everything is written at multiples of its interval, counted by the Context's step count, and at no step before the
/// first. Nothing here changes a bit of the simulation.
class RunOutputs {
public:
    /// `resume` is the mark of the checkpoint that the run goes on from: what the files hold beyond it is cut off.
    RunOutputs(RunFiles const& files, Options const& options, RunFacts const& facts, AnyContext& context,
               std::optional<RunMark> const& resume);

    /// The first step comes next: speed is counted from now on.
    void begin();

    /// What the user should know of the trajectory, as a sentence; else empty.
    std::string note() const;

    /// The next step at which anything is due, `limit` at most.
    std::int64_t next_due(std::int64_t step, std::int64_t limit) const;
    /// Writes what is due at this step.
    void write_due(AnyContext& context);
    void write_checkpoint(AnyContext& context, RunMark::Stage stage = RunMark::Stage::prepared);
    Progress::Position position(AnyContext const& context) const;

private:
    RunFiles files_;
    RunFacts facts_;
    std::int64_t log_interval_, trajectory_interval_, checkpoint_interval_;
    std::optional<LogReporter> log_;
    std::optional<TrajectoryReporter> trajectory_;
    SimulationSpeed speed_;  ///< that the progress shows
};

}  // namespace trotter::program
