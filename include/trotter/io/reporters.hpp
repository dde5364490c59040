// Reporters that write a trajectory and a log.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

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

/// When and how frames are written.
struct TrajectoryReporterSettings {
    std::int64_t interval = 1000;              ///< steps between frames
    bool wrap = false;                         ///< moves whole molecules into the box, where forces are periodic
    std::optional<std::int64_t> first_step{};  ///< of the file; by default the next multiple of the interval
    std::int64_t last_step = 0;                ///< that the simulation will reach; matters beyond 2^31 (`FrameNumbers`)
    std::optional<double> step_size{};         ///< [ps] that a DCD file states; by default the Context's
    std::optional<FileMark> resume_at{};       ///< goes on with a file there; needs the `first_step` that it began with
};

/// Writes positions and, where forces are periodic, the box to a DCD or XTC file. The name ends in `.dcd` or `.xtc`.
class TrajectoryReporter {
public:
    /// Starts the file, or goes on with it. Throws InputError for another ending or an interval below 1, else as
    /// DcdWriter and XtcWriter do; each message names the file.
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

    /// Adds a frame. A DCD file gives the frames times as if they were `interval` steps apart.
    template <class Context> void report(Context& context) {
        auto const box = context.is_periodic() ? std::optional{context.box()} : std::nullopt;
        if (wrap_ && box)
            writer_.write(wrap_molecules(context.positions(), *box, context.molecules()), box, context.step_count(),
                          context.time());
        else
            writer_.write(context.positions(), box, context.step_count(), context.time());
    }

    /// As those of the writers.
    void sync() { writer_.sync(); }
    /// The whole frames so far.
    FileMark const& mark() const { return writer_.mark(); }
    /// A sentence for the user where frames are not numbered by steps; else empty.
    std::string note() const { return writer_.note(); }

private:
    TrajectoryReporter(std::string path, TrajectoryReporterSettings const& settings, TrajectorySettings const& of_file);
    /// An invalid interval is refused by the writer.
    static std::int64_t next_multiple_or_zero(std::int64_t step, std::int64_t interval) {
        return interval < 1 ? 0 : next_multiple(step, interval);
    }

    TrajectoryWriter writer_;
    bool wrap_;
};

/// How fast a simulation goes, measured from a start.
class SimulationSpeed {
public:
    /// Starts the clock at the present step and time.
    template <class Context>
    explicit SimulationSpeed(Context const& context) : step_(context.step_count()), time_(context.time()) {}

    /// The clock starts now; the steps before are still counted from where this was made.
    void start_clock() { start_ = std::chrono::steady_clock::now(); }
    /// [ns/day], at a simulated time [ps]; 0 where nothing is known yet.
    double ns_per_day(std::int64_t step, double time) const;
    /// Until the last step [s]; 0 where nothing is known yet.
    double remaining(std::int64_t step, std::int64_t last_step) const;

private:
    double seconds() const;

    std::int64_t step_;
    double time_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Step, time, energies of the forces that the integrator integrates, temperature, and volume and density where forces are
/// periodic. Throws NotFiniteError that names step and force where an energy is not finite.
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

/// When lines are written, and what progress counts from.
struct LogReporterSettings {
    std::int64_t interval = 1000;              ///< steps between lines
    std::optional<std::int64_t> first_step{};  ///< where progress is 0 %; by default the Context's step count
    std::optional<std::int64_t> last_step{};   ///< where it is 100 %; without it the log has no progress, no time left
    std::optional<FileMark> resume_at{};       ///< goes on with a file there
};

/// Writes the columns of LogRow to a CSV file. Each line evaluates the energy.
class LogReporter {
public:
    /// Starts the file, or goes on with it. Throws InputError for an interval below 1, else as LogWriter does; each message
    /// names the file.
    template <class Context>
    LogReporter(std::string path, Context& context, LogReporterSettings const& settings = {})
        : LogReporter(std::move(path), settings, SimulationSpeed{context}, context.step_count()) {}

    std::int64_t const interval;  ///< steps between lines

    /// Adds a line. Throws as `log_row` does, and OutputError.
    template <class Context> void report(Context& context) { write(log_row(context)); }

    /// The speed counts from here on, and not from when this was made.
    void start_clock() { speed_.start_clock(); }
    /// As those of LogWriter.
    void sync() { writer_.sync(); }
    /// The whole lines so far.
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
