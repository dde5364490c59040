// Writes the frames and log lines of reporters.
// SPDX-License-Identifier: MIT
#include <trotter/io/reporters.hpp>

#include <utility>

namespace trotter {
namespace {

std::string const& check_interval(std::string const& path, std::int64_t interval) {
    if (interval < 1)
        throw InputError(path + ": the interval between lines is " + std::to_string(interval) + " steps, expected at least 1");
    return path;
}

}  // namespace

TrajectoryReporter::TrajectoryReporter(std::string path, TrajectoryReporterSettings const& settings,
                                       TrajectorySettings const& of_file)
    : interval(settings.interval), writer_(std::move(path), of_file, settings.resume_at), wrap_(settings.wrap) {}

double SimulationSpeed::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}
double SimulationSpeed::ns_per_day(std::int64_t step, double time) const {
    double const elapsed = seconds();
    return step > step_ && elapsed > 0 ? (time - time_) * 1e-3 * 86400 / elapsed : 0;
}
double SimulationSpeed::remaining(std::int64_t step, std::int64_t last_step) const {
    if (step <= step_) return 0;
    return static_cast<double>(last_step - step) * seconds() / static_cast<double>(step - step_);
}

LogReporter::LogReporter(std::string path, LogReporterSettings const& settings, SimulationSpeed const& speed,
                         std::int64_t step)
    : interval(settings.interval), writer_(check_interval(path, settings.interval), settings.resume_at), speed_(speed),
      first_step_(settings.first_step.value_or(step)), last_step_(settings.last_step) {}

void LogReporter::write(LogRow row) {
    if (double const speed = speed_.ns_per_day(row.step, row.time); speed > 0) {
        row.speed = speed;
        if (last_step_) row.remaining = speed_.remaining(row.step, *last_step_);
    }
    if (last_step_) {
        auto const length = static_cast<double>(*last_step_ - first_step_);
        row.progress = length > 0 ? 100 * static_cast<double>(row.step - first_step_) / length : 100;
    }
    writer_.write(row);
}

}  // namespace trotter
