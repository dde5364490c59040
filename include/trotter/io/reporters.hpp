// Reporters that write a trajectory and a log.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/log.hpp>
#include <trotter/io/trajectory.hpp>
#include <trotter/reporter.hpp>
#include <trotter/state.hpp>
#include <trotter/units.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Settings of a TrajectoryReporter.
struct TrajectoryReporterSettings {
    std::int64_t interval = 1000;              ///< steps between frames
    bool wrap = false;                         ///< moves whole molecules into the box if forces are periodic
    std::optional<std::int64_t> first_step{};  ///< of the file; by default the next multiple of the interval
    std::int64_t last_step = 0;                ///< last step of the simulation; needed beyond 2^31 (`FrameNumbers`)
    std::optional<double> step_size{};         ///< step size in a DCD file [ps]; by default the Context's
    std::optional<FileMark> resume_at{};       ///< continues an existing file; needs its original `first_step`
    std::optional<std::vector<int>> particles{};  ///< indices of those to save, ascending; by default all
};

/// Writes positions and, if forces are periodic, the box to a DCD, XTC or NetCDF file. The name ends in `.dcd`,
/// `.xtc` or `.nc`.
class TrajectoryReporter {
public:
    /// Starts or continues the file. Throws InputError for another ending, an interval below 1, and `particles` that are
    /// none, not ascending, or not in the Context; else as the writers of the formats; each message names
    /// the file.
    template <class Context>
    TrajectoryReporter(std::string path, Context& context, TrajectoryReporterSettings const& settings = {})
        : TrajectoryReporter(
              std::move(path), settings,
              {.particles = context.positions().size(),
               .step_size = settings.step_size.value_or(context.step_size()),
               .interval = settings.interval,
               .first_step = settings.first_step.value_or(next_multiple_or_zero(context.step_count(), settings.interval)),
               .last_step = settings.last_step}) {}

    std::int64_t const interval;  ///< steps between frames

    /// Adds a frame. Times in a DCD file assume frames `interval` steps apart.
    template <class Context> void report(Context& context) {
        auto const box = context.is_periodic() ? std::optional{context.box()} : std::nullopt;
        if (wrap_ && box)
            write(wrap_molecules(context.positions(), *box, context.molecules()), box, context.step_count(),
                  context.time());
        else
            write(context.positions(), box, context.step_count(), context.time());
    }

    /// As `sync` of the writers.
    void sync() { writer_.sync(); }
    /// Length and checksum of the complete frames.
    FileMark const& mark() const { return writer_.mark(); }
    /// A sentence for the user if frames are not numbered by steps; else empty.
    std::string note() const { return writer_.note(); }

private:
    TrajectoryReporter(std::string path, TrajectoryReporterSettings const& settings, TrajectorySettings const& of_file);
    /// An invalid interval is rejected by the writer.
    static std::int64_t next_multiple_or_zero(std::int64_t step, std::int64_t interval) {
        return interval < 1 ? 0 : next_multiple(step, interval);
    }

    void write(std::span<Vec3<> const> positions, std::optional<Box> const& box, std::int64_t step, double time);

    TrajectoryWriter writer_;
    bool wrap_;
    std::string path_;
    std::optional<std::vector<int>> particles_;
};

/// Measures the speed of a simulation.
class SimulationSpeed {
public:
    /// Starts the clock at the current step and time.
    template <class Context>
    explicit SimulationSpeed(Context const& context) : step_(context.step_count()), time_(context.time()) {}

    /// Restarts the clock; steps still count from construction.
    void start_clock() { start_ = std::chrono::steady_clock::now(); }
    /// [ns/day], at a simulated time [ps]; 0 if not known yet.
    double ns_per_day(std::int64_t step, double time) const;
    /// Time left until the last step [s]; 0 if not known yet.
    double remaining(std::int64_t step, std::int64_t last_step) const;

private:
    double seconds() const;

    std::int64_t step_;
    double time_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Returns step, time, energies of the integrated forces, temperature, and volume and density if forces are periodic.
/// Throws NotFiniteError that names step and force if an energy is not finite.
template <class Context> LogRow log_row(Context& context) {
    State state;
    try {
        state = context.state(StateData::energy, context.integration_groups());
    } catch (NotFiniteError const& error) {
        throw NotFiniteError("step " + std::to_string(context.step_count()) + ": ", error.sentence);
    }
    constexpr double grams_per_millilitre = 1e21 / constants::avogadro;  // of 1 amu/nm³
    double const degrees = context.degrees_of_freedom();
    LogRow row{.step = state.step_count,
               .time = state.time,
               .potential_energy = state.potential_energy,
               .kinetic_energy = state.kinetic_energy,
               .temperature = degrees > 0 ? 2 * state.kinetic_energy / (degrees * constants::gas_constant) : 0};
    if (context.is_periodic()) {
        row.volume = context.box().volume();
        row.density = context.total_mass() * grams_per_millilitre / *row.volume;
    }
    return row;
}

/// Settings of a LogReporter.
struct LogReporterSettings {
    std::int64_t interval = 1000;              ///< steps between lines
    std::optional<std::int64_t> first_step{};  ///< step of progress 0 %; by default the Context's step count
    /// Step of progress 100 %; without it the log has no progress or time left.
    std::optional<std::int64_t> last_step{};
    std::optional<FileMark> resume_at{};       ///< continues an existing file
};

/// Writes the columns of LogRow to a CSV file. Each line evaluates the energy.
class LogReporter {
public:
    /// Starts or continues the file. Throws InputError for an interval below 1, else as LogWriter; each message names
    /// the file.
    template <class Context>
    LogReporter(std::string path, Context& context, LogReporterSettings const& settings = {})
        : LogReporter(std::move(path), settings, SimulationSpeed{context}, context.step_count()) {}

    std::int64_t const interval;  ///< steps between lines

    /// Adds a line. Throws as `log_row` does, and OutputError.
    template <class Context> void report(Context& context) { write(log_row(context)); }

    /// Measures the speed from now on, instead of from construction.
    void start_clock() { speed_.start_clock(); }
    /// As `sync` of LogWriter.
    void sync() { writer_.sync(); }
    /// Length and checksum of the complete lines.
    FileMark const& mark() const { return writer_.mark(); }

private:
    LogReporter(std::string path, LogReporterSettings const& settings, SimulationSpeed const& speed, std::int64_t step);
    void write(LogRow row);

    LogWriter writer_;
    SimulationSpeed speed_;
    std::int64_t first_step_;
    std::optional<std::int64_t> last_step_;
};

}  // namespace trotter
