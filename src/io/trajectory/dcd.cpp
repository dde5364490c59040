// Writes DCD frames: Fortran records of little-endian floats, with the number of frames in the header.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <trotter/io/trajectory.hpp>

#include "cell.hpp"
#include "frame_bytes.hpp"

namespace trotter {
namespace {

using detail::Order;
constexpr auto add_int = detail::add<Order::Little, std::int32_t>;
constexpr auto add_float = detail::add<Order::Little, float>;
constexpr auto add_double = detail::add<Order::Little, double>;

constexpr std::size_t head_size = 276;
constexpr std::int64_t most = detail::largest_number;

struct Clock {
    std::int32_t first, interval, last;
    double step_size;
};

/// Returns frame numbering and step size of the header.
Clock clock_of(TrajectorySettings const& settings, std::int64_t frames) {
    auto const gaps = std::max<std::int64_t>(frames, 1) - 1;
    auto const clock = [gaps](std::int64_t first, std::int64_t interval, double step_size) {
        return Clock{static_cast<std::int32_t>(first), static_cast<std::int32_t>(interval),
                     static_cast<std::int32_t>(std::min(first + gaps * interval, most)), step_size};
    };
    double const between_frames = settings.step_size * static_cast<double>(settings.interval);
    switch (frame_numbers(settings)) {
    case FrameNumbers::steps:
        if (settings.interval <= most) return clock(settings.first_step, settings.interval, settings.step_size);
        [[fallthrough]];  // interval too large for the header: one frame
    case FrameNumbers::intervals: return clock(settings.first_step / settings.interval, 1, between_frames);
    default: return clock(1, 1, between_frames);
    }
}

/// Raises the last step to include all frames in the file.
TrajectorySettings reaching(TrajectorySettings settings, std::int64_t frames) {
    settings.last_step = std::max(settings.last_step, settings.first_step + (frames - 1) * settings.interval);
    return settings;
}

void add_title(std::string& head, std::string title) {
    title.resize(80, ' ');
    head += title;
}

std::string make_head(TrajectorySettings const& settings, std::int64_t frames, bool periodic) {
    auto const clock = clock_of(settings, frames);
    std::string head;
    add_int(head, 84);
    head += "CORD";
    add_int(head, static_cast<std::int32_t>(frames));
    add_int(head, clock.first);
    add_int(head, clock.interval);
    add_int(head, clock.last);
    for (int unused = 0; unused < 5; ++unused) add_int(head, 0);
    add_float(head, static_cast<float>(clock.step_size / detail::charmm_time));
    add_int(head, periodic);
    for (int unused = 0; unused < 8; ++unused) add_int(head, 0);
    add_int(head, 24);  // CHARMM version of this layout
    add_int(head, 84);
    add_int(head, 164);
    add_int(head, 2);
    add_title(head, "Created by Trotter");
    add_title(head, "Lengths in angstrom, unit cell as a, cos(gamma), b, cos(beta), cos(alpha), c");
    add_int(head, 164);
    add_int(head, 4);
    add_int(head, static_cast<std::int32_t>(settings.particles));
    add_int(head, 4);
    return head;
}

constexpr std::uint64_t frame_size(std::size_t particles, bool periodic) { return (periodic ? 56 : 0) + 3 * (8 + 4 * std::uint64_t{particles}); }

void add_box(std::string& frame, Box const& box) {
    add_int(frame, 48);
    add_double(frame, 10 * norm(box.a));
    add_double(frame, detail::cosine_between(box.a, box.b));
    add_double(frame, 10 * norm(box.b));
    add_double(frame, detail::cosine_between(box.a, box.c));
    add_double(frame, detail::cosine_between(box.b, box.c));
    add_double(frame, 10 * norm(box.c));
    add_int(frame, 48);
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
    bool const periodic = head[48] == 1;
    auto const expected = make_head(settings, 0, periodic);
    if (head.substr(0, 8) != expected.substr(0, 8) || head.substr(88) != expected.substr(88))
        throw InputError(path + ": cannot be continued: it is not a DCD file of " + std::to_string(settings.particles) +
                         " particles that Trotter wrote");
    auto const each = frame_size(settings.particles, periodic);
    if (size < head_size || (size - head_size) % each != 0)
        throw InputError(path + ": cannot be continued at byte " + std::to_string(size) + ", which is inside a frame");
    return {static_cast<std::int64_t>((size - head_size) / each), periodic};
}

TrajectorySettings const& check(std::string const& path, TrajectorySettings const& settings) {
    if (settings.particles > static_cast<std::size_t>(most) / 4)
        throw UnsupportedError(path + ": a DCD file cannot hold " + std::to_string(settings.particles) + " particles");
    if (settings.interval < 1) detail::refuse_interval(path, settings.interval);
    return settings;
}

}  // namespace

DcdWriter::DcdWriter(std::string path, TrajectorySettings const& settings, std::optional<FileMark> const& resume_at)
    : settings_(check(path, settings)), file_([&] {
          if (!resume_at) return AppendFile{path, head_size};
          auto const found = examine(path, settings, resume_at->bytes);
          frames_ = found.frames;
          periodic_ = found.periodic;
          return AppendFile{path, *resume_at, head_size};
      }()) {
    settings_ = reaching(settings_, frames_);
    auto const head = make_head(settings_, frames_, periodic_);
    if (resume_at)
        file_.overwrite(0, head);
    else
        file_.append(head);
}

void DcdWriter::write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double) {
    detail::check_frame(file_.path(), settings_, positions.size());
    if (frames_ > 0 && periodic_ != box.has_value())
        throw Error(file_.path() + ": either all frames of a DCD file have a box, or none has");
    frame_.clear();
    if (box) add_box(frame_, *box);
    auto const record = static_cast<std::int32_t>(4 * positions.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
        add_int(frame_, record);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            auto const value = 10 * positions[i][axis];
            if (!(std::abs(value) <= double{std::numeric_limits<float>::max()}))
                detail::refuse_position(file_.path(), step, i, positions[i][axis], "a finite number");
            add_float(frame_, static_cast<float>(value));
        }
        add_int(frame_, record);
    }
    file_.append(frame_);
    periodic_ = box.has_value();
    settings_ = reaching(settings_, ++frames_);
    file_.overwrite(0, make_head(settings_, frames_, periodic_));
}

std::string DcdWriter::note() const {
    auto const numbers = frame_numbers(settings_);
    auto const note = detail::note_of(file_.path(), numbers, settings_.interval);
    return numbers == FrameNumbers::frames ? note + ", and their times begin anew" : note;
}

}  // namespace trotter
