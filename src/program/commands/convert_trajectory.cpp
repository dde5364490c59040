// SPDX-License-Identifier: MIT
#include "convert_trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>

#include <unistd.h>

#include <trotter/error.hpp>
#include <trotter/io/trajectory.hpp>
#include <trotter/io/trajectory_reader.hpp>

#include "preparation.hpp"
#include "program/input/options.hpp"
#include "program/input/structure_input.hpp"
#include "program/output/messages.hpp"

namespace trotter::program {
namespace {

/// What the frames have in common, found by reading all of them first.
struct Overview {
    std::int64_t frames = 0, with_box = 0;
    std::int64_t first_step = 0, last_step = 0, interval = 1;
    double first_time = 0, last_time = 0;
    bool is_even = true;  ///< steps and times are equally far apart

    void add(TrajectoryFrame const& frame) {
        auto const distance = frame.step - last_step;
        if (frames == 0) {
            first_step = frame.step;
            first_time = frame.time;
        } else if (frames == 1) {
            interval = distance;
        }
        is_even = is_even && (frames < 1 || (distance == interval && distance > 0));
        last_step = frame.step;
        last_time = frame.time;
        with_box += frame.box.has_value();
        ++frames;
    }
    double step_size() const {
        auto const steps = static_cast<double>(last_step - first_step);
        return steps > 0 ? (last_time - first_time) / steps : last_step > 0 ? last_time / static_cast<double>(last_step) : 0;
    }
    /// Whether a DCD file, which has a first step, an interval and a step size, gives the times of the frames.
    bool has_times_of_steps() const {
        auto const close = [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(std::abs(a), std::abs(b)); };
        return is_even && close(static_cast<double>(first_step) * step_size(), first_time)
               && close(static_cast<double>(last_step) * step_size(), last_time);
    }
};

Overview look_through(TrajectoryReader&& trajectory) {
    Overview overview;
    for (auto const& frame : trajectory) overview.add(frame);
    return overview;
}

/// A file under another name until it is complete.
class UnfinishedFile {
public:
    explicit UnfinishedFile(std::string const& path)
        : path_(path), name_(fmt::format("{}.{}.partial{}", path, ::getpid(), path.substr(path.find_last_of('.')))) {}
    UnfinishedFile(UnfinishedFile const&) = delete;
    UnfinishedFile& operator=(UnfinishedFile const&) = delete;
    ~UnfinishedFile() {
        std::error_code ignored;
        if (!is_finished_) std::filesystem::remove(name_, ignored);
    }
    std::string const& name() const { return name_; }
    void finish() {
        std::error_code error;
        std::filesystem::rename(name_, path_, error);
        if (error) throw OutputError(path_ + ": cannot be written: " + error.message());
        is_finished_ = true;
    }

private:
    std::string path_, name_;
    bool is_finished_ = false;
};

std::optional<std::vector<int>> saved_atoms(Options const& options, std::size_t particles) {
    if (options.save.empty()) return {};
    if (options.topology.empty()) throw InputError("--save needs --topology, expected a file that names the atoms");
    auto const file = read_named_structure(
        options.topology, {data_folders(options.force_field_folders), options.max_input}, "--topology");
    if (file.structure.positions.size() != particles)
        throw InputError("--topology: " + options.topology + " has " + std::to_string(file.structure.positions.size())
                         + " atoms, expected " + std::to_string(particles) + " as in the frames of " + options.input);
    return selected_atoms(options.save, file.structure, options.topology);
}

TrajectorySettings settings_for(Overview const& overview, std::size_t particles) {
    return {.particles = particles,
            .step_size = overview.step_size(),
            .interval = overview.is_even ? overview.interval : 1,
            .first_step = overview.first_step,
            .last_step = overview.last_step};
}

void warn_of_losses(Options const& options, Overview const& overview, bool drops_boxes) {
    auto const warn = [&](std::string const& what) {
        tell("trotter: warning: " + presentable(options.output_file + " " + what) + '\n');
    };
    bool const is_dcd = options.output_file.ends_with(".dcd");
    if (is_dcd && !overview.has_times_of_steps())
        warn("cannot hold the times of the frames, which are lost: they are not the multiples of one step");
    if (drops_boxes)
        warn(fmt::format("cannot hold boxes in {} of {} frames, which are lost", overview.with_box, overview.frames));
}

}  // namespace

void convert_trajectory(Options const& options) {
    TrajectoryReader trajectory(options.input);
    auto const atoms = saved_atoms(options, trajectory.particles());
    auto const overview = look_through(TrajectoryReader(options.input));
    if (overview.frames == 0) throw InputError(options.input + ": has no frames, expected at least one");
    bool const drops_boxes =
        !options.output_file.ends_with(".xtc") && overview.with_box > 0 && overview.with_box < overview.frames;
    UnfinishedFile file(options.output_file);
    {
        TrajectoryWriter writer(file.name(), settings_for(overview, atoms ? atoms->size() : trajectory.particles()));
        std::vector<Vec3<>> chosen;
        for (auto const& frame : trajectory) {
            if (atoms) {
                chosen.clear();
                for (int const atom : *atoms) chosen.push_back(frame.positions[static_cast<std::size_t>(atom)]);
            }
            writer.write(atoms ? chosen : frame.positions, drops_boxes ? std::nullopt : frame.box, frame.step, frame.time);
        }
        writer.sync();
    }
    file.finish();
    warn_of_losses(options, overview, drops_boxes);
}

}  // namespace trotter::program
