// Writes the frames and log lines of reporters.
// SPDX-License-Identifier: MIT
#include <trotter/io/reporters.hpp>

#include <cmath>
#include <utility>

#include "io/trajectory/frame_bytes.hpp"

namespace trotter {
namespace {

/// Settings of a file that holds these particles only. Throws InputError unless `particles` are ascending indices.
TrajectorySettings saving(std::string const& path, std::optional<std::vector<int>> const& particles,
                          TrajectorySettings settings) {
    if (!particles) return settings;
    auto const count = static_cast<std::int64_t>(settings.particles);
    if (particles->empty()) throw InputError(path + ": there are no particles to save, expected at least one");
    for (std::int64_t before = -1; int const particle : *particles) {
        if (particle <= before || particle >= count)
            throw InputError(path + ": the particles to save include " + std::to_string(particle) +
                             (before < 0 ? " first" : " behind " + std::to_string(before)) +
                             ", expected ascending indices below " + std::to_string(count));
        before = particle;
    }
    settings.particles = particles->size();
    return settings;
}

std::string const& check_interval(std::string const& path, std::int64_t interval) {
    if (interval < 1)
        throw InputError(path + ": the interval between lines is " + std::to_string(interval) + " steps, expected at least 1");
    return path;
}

}  // namespace

TrajectoryReporter::TrajectoryReporter(std::string path, TrajectoryReporterSettings const& settings,
                                       TrajectorySettings const& of_file)
    : interval(settings.interval), writer_(path, saving(path, settings.particles, of_file), settings.resume_at),
      wrap_(settings.wrap), path_(std::move(path)), particles_(settings.particles) {}

void TrajectoryReporter::write(std::span<Vec3<> const> positions, std::optional<Box> const& box, std::int64_t step,
                               double time) {
    if (!particles_) return writer_.write(positions, box, step, time);
    std::vector<Vec3<>> saved;
    saved.reserve(particles_->size());
    for (int const particle : *particles_) {
        auto const& position = positions[static_cast<std::size_t>(particle)];
        // The writer would name the particle by its place in the file. Of every format, XTC holds the smallest range.
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!(std::abs(position[axis]) <= detail::xtc_farthest))
                detail::refuse_position(path_, step, static_cast<std::size_t>(particle), position[axis],
                                        "at most 2147483 nm either way");
        saved.push_back(position);
    }
    writer_.write(saved, box, step, time);
}

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
