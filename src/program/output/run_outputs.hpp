// Writes the outputs of a run: log, trajectory and checkpoints.
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

/// Identity of a run apart from its state: a checkpoint is valid only for an identical one.
struct RunIdentity {
    std::uint64_t inputs = 0;  ///< checksum of System and integrator
    std::uint64_t state = 0;   ///< checksum of the run's initial State
    std::uint64_t seed = 0;
    std::string platform, precision, instruction_set, accelerator, trajectory;
    std::string saved_atoms;  ///< number and checksum; empty: all
    double list_buffer = 0;
    std::map<std::string, std::string> beginning;  ///< options that take effect before or at the first step

    void save(Archive& archive) const;
    static RunIdentity load(Archive& archive);
    /// Throws InputError with the differences from the run of the checkpoint `file`.
    void check_resumes(RunIdentity const& earlier, std::string const& file) const;
};

/// `--set`, `--ramp`, `--temperature`, `--minimize` and `--tune` as texts.
std::map<std::string, std::string> beginning_of(Options const& options);

/// Start of a run, and extent of its files at a checkpoint.
struct RunMark {
    /// Whether minimization and initial velocities are done; otherwise whether the State had velocities.
    enum class Stage : std::int64_t { at_rest, with_velocities, prepared } stage = Stage::prepared;
    std::int64_t first_step = 0;
    double first_step_size = 0;  ///< [ps]; stored in trajectories, also with variable steps
    FileMark log{}, trajectory{};  ///< 0 bytes if there was no such file
};

/// Constants of a run.
struct RunFacts {
    RunIdentity identity;
    std::int64_t first_step = 0, last_step = 0;
    double first_step_size = 0;  ///< [ps]
    bool wrap = false;
    std::optional<std::vector<int>> saved_atoms{};  ///< in the trajectory; nothing: all
};

/// Writes a checkpoint of the current state.
void write_checkpoint(RunFiles const& files, RunIdentity const& identity, RunMark const& mark, AnyContext& context);

/// Writes each output at multiples of its interval in the Context's step count, from the first step on. Never affects
/// the simulation.
class RunOutputs {
public:
    /// `resume` is the mark of the checkpoint to resume from: files are truncated to it.
    RunOutputs(RunFiles const& files, Options const& options, RunFacts const& facts, AnyContext& context,
               std::optional<RunMark> const& resume);

    /// Starts measuring the speed, right before the first step.
    void begin();

    /// A sentence about the trajectory for the user, or empty.
    std::string note() const;

    /// The next step with any output, at most `limit`.
    std::int64_t next_due(std::int64_t step, std::int64_t limit) const;
    /// Writes the outputs of this step.
    void write_due(AnyContext& context);
    void write_checkpoint(AnyContext& context, RunMark::Stage stage = RunMark::Stage::prepared);
    Progress::Position position(AnyContext const& context) const;

private:
    RunFiles files_;
    RunFacts facts_;
    std::int64_t log_interval_, trajectory_interval_, checkpoint_interval_;
    std::optional<LogReporter> log_;
    std::optional<TrajectoryReporter> trajectory_;
    SimulationSpeed speed_;  ///< shown by the progress bar
};

}  // namespace trotter::program
