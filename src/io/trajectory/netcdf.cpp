// Writes trajectories in NetCDF by the AMBER convention: a header of a fixed size, then records of big-endian numbers.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include <trotter/io/trajectory.hpp>
#include <trotter/version.hpp>

#include "cell.hpp"
#include "frame_bytes.hpp"
#include "netcdf_header.hpp"

namespace trotter {
namespace {

using detail::Order;
constexpr auto add_int = detail::add<Order::Big, std::uint32_t>;
constexpr auto add_float = detail::add<Order::Big, float>;
constexpr auto add_double = detail::add<Order::Big, double>;

/// The records begin here whether or not there is a unit cell, which is known with the first frame.
constexpr std::size_t head_size = 1024, records_at = 4;
/// Coordinates of a frame must have less than 2^32 − 4 bytes.
constexpr std::size_t most_particles = 357'913'939;

struct Dimension {
    char const* name;
    std::uint32_t length;  // 0: unlimited
};
enum : std::uint32_t { frame, spatial, atom, label, cell_spatial, cell_angular };

/// A variable, with labels if it does not belong to the frames.
struct Variable {
    char const* name;
    std::vector<std::uint32_t> dimensions;
    std::uint32_t type;
    std::string units, labels;
};

/// In the order of the file. The cell comes last.
std::vector<Variable> variables_of(bool periodic) {
    std::vector<Variable> result{{"spatial", {spatial}, detail::netcdf_char, "", "xyz"},
                                 {"time", {frame}, detail::netcdf_float, "picosecond", ""},
                                 {"step", {frame}, detail::netcdf_double, "", ""},
                                 {"coordinates", {frame, atom, spatial}, detail::netcdf_float, "angstrom", ""}};
    if (!periodic) return result;
    result.push_back({"cell_spatial", {cell_spatial}, detail::netcdf_char, "", "abc"});
    result.push_back({"cell_angular", {cell_angular, label}, detail::netcdf_char, "", "alphabeta gamma"});
    result.push_back({"cell_lengths", {frame, cell_spatial}, detail::netcdf_double, "angstrom", ""});
    result.push_back({"cell_angles", {frame, cell_angular}, detail::netcdf_double, "degree", ""});
    return result;
}

void add_text(std::string& head, std::string_view text) {
    add_int(head, static_cast<std::uint32_t>(text.size()));
    head += text;
    head.append(detail::padded(text.size()) - text.size(), '\0');
}
void add_attribute(std::string& head, std::string_view name, std::string_view value) {
    add_text(head, name);
    add_int(head, detail::netcdf_char);
    add_text(head, value);
}
void add_list(std::string& head, std::uint32_t tag, std::size_t count) {
    add_int(head, count > 0 ? tag : 0);
    add_int(head, static_cast<std::uint32_t>(count));
}

/// The list of variables; labels stand right before the records.
void add_variables(std::string& head, std::vector<Dimension> const& dimensions, std::vector<Variable> const& variables,
                   std::size_t size_of_labels) {
    std::uint64_t next_record = head_size, next_label = head_size - size_of_labels;
    add_list(head, detail::netcdf_variables, variables.size());
    for (auto const& variable : variables) {
        add_text(head, variable.name);
        add_int(head, static_cast<std::uint32_t>(variable.dimensions.size()));
        std::uint64_t size = detail::netcdf_size(variable.type);
        for (auto const index : variable.dimensions) {
            add_int(head, index);
            if (index != frame) size *= dimensions[index].length;
        }
        add_list(head, detail::netcdf_attributes, variable.units.empty() ? 0 : 1);
        if (!variable.units.empty()) add_attribute(head, "units", variable.units);
        add_int(head, variable.type);
        add_int(head, static_cast<std::uint32_t>(detail::padded(size)));
        auto& next = variable.labels.empty() ? next_record : next_label;
        detail::add<Order::Big>(head, next);
        next += detail::padded(size);
    }
}

std::string make_head(TrajectorySettings const& settings, std::int64_t frames, bool periodic) {
    std::vector<Dimension> dimensions{
        {"frame", 0}, {"spatial", 3}, {"atom", static_cast<std::uint32_t>(settings.particles)}, {"label", 5}};
    if (periodic) dimensions.insert(dimensions.end(), {{"cell_spatial", 3}, {"cell_angular", 3}});
    std::string head = "CDF\2", labels;
    add_int(head, static_cast<std::uint32_t>(frames));
    add_list(head, detail::netcdf_dimensions, dimensions.size());
    for (auto const& [name, length] : dimensions) {
        add_text(head, name);
        add_int(head, length);
    }
    add_list(head, detail::netcdf_attributes, 4);
    add_attribute(head, "Conventions", "AMBER");
    add_attribute(head, "ConventionVersion", "1.0");
    add_attribute(head, "program", "trotter");
    add_attribute(head, "programVersion", version);
    auto const variables = variables_of(periodic);
    for (auto const& variable : variables) {
        labels += variable.labels;
        labels.resize(detail::padded(labels.size()));
    }
    add_variables(head, dimensions, variables, labels.size());
    head.resize(head_size - labels.size());
    return head + labels;
}

constexpr std::uint64_t frame_size(std::size_t particles, bool periodic) {
    return 12 + 12 * std::uint64_t{particles} + (periodic ? 48 : 0);
}

void add_cell(std::string& bytes, Box const& box) {
    for (auto const* vector : {&box.a, &box.b, &box.c}) add_double(bytes, 10 * norm(*vector));
    auto const angle = [](Vec3<> const& u, Vec3<> const& v) {
        return std::acos(std::clamp(detail::cosine_between(u, v), -1.0, 1.0)) * 180 / std::numbers::pi;
    };
    for (double const degrees : {angle(box.b, box.c), angle(box.a, box.c), angle(box.a, box.b)}) add_double(bytes, degrees);
}

struct Found {
    std::int64_t frames;
    bool periodic;
};

/// Examines the first `size` bytes of an existing file. Throws InputError unless they are whole frames of such a
/// trajectory.
Found examine(std::string const& path, TrajectorySettings const& settings, std::uint64_t size) {
    auto const file = detail::open_to_resume(path);
    auto const head = detail::read_part(file, path, 0, head_size);
    auto const without_count = [](std::string text) { return text.erase(records_at, 4); };
    bool const periodic = without_count(head) == without_count(make_head(settings, 0, true));
    if (!periodic && without_count(head) != without_count(make_head(settings, 0, false)))
        throw InputError(path + ": cannot be continued: it is not a NetCDF file of " + std::to_string(settings.particles) +
                         " particles that this version of Trotter wrote");
    auto const each = frame_size(settings.particles, periodic);
    if (size < head_size || (size - head_size) % each != 0)
        throw InputError(path + ": cannot be continued at byte " + std::to_string(size) + ", which is inside a frame");
    return {static_cast<std::int64_t>((size - head_size) / each), periodic};
}

TrajectorySettings const& check(std::string const& path, TrajectorySettings const& settings) {
    if (settings.particles == 0 || settings.particles > most_particles)
        throw UnsupportedError(path + ": a NetCDF file cannot hold " + std::to_string(settings.particles) + " particles, only 1 to " +
                               std::to_string(most_particles));
    if (settings.interval < 1) detail::refuse_interval(path, settings.interval);
    return settings;
}

}  // namespace

NetcdfWriter::NetcdfWriter(std::string path, TrajectorySettings const& settings, std::optional<FileMark> const& resume_at)
    : settings_(check(path, settings)), file_([&] {
          if (!resume_at) return AppendFile{path, head_size};
          auto const found = examine(path, settings, resume_at->bytes);
          frames_ = found.frames;
          periodic_ = found.periodic;
          return AppendFile{path, *resume_at, head_size};
      }()) {
    auto const head = make_head(settings_, frames_, periodic_);
    if (resume_at)
        file_.overwrite(0, head);
    else
        file_.append(head);
}

void NetcdfWriter::write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time) {
    detail::check_frame(file_.path(), settings_, positions.size());
    if (frames_ > 0 && periodic_ != box.has_value())
        throw Error(file_.path() + ": either all frames of a NetCDF file have a box, or none has");
    if (frames_ == detail::largest_number)
        throw SimulationError(file_.path() + ": at step " + std::to_string(step) + " the file has all the frames that readers can count");
    frame_.clear();
    add_float(frame_, static_cast<float>(time));
    add_double(frame_, static_cast<double>(step));
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto const value = 10 * positions[i][axis];
            if (!(std::abs(value) <= double{std::numeric_limits<float>::max()}))
                detail::refuse_position(file_.path(), step, i, positions[i][axis], "a finite number");
            add_float(frame_, static_cast<float>(value));
        }
    if (box) add_cell(frame_, *box);
    file_.append(frame_);
    periodic_ = box.has_value();
    file_.overwrite(0, make_head(settings_, ++frames_, periodic_));
}

}  // namespace trotter
