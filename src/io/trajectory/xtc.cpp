// Writes XTC frames: big-endian XDR around the compressed coordinates.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <trotter/io/trajectory.hpp>

#include "frame_bytes.hpp"
#include "xtc_coding.hpp"

namespace trotter {
namespace {

using detail::GridPoint;
using detail::Order;
constexpr auto add_int = detail::add<Order::Big, std::int32_t>;
constexpr auto add_float = detail::add<Order::Big, float>;

constexpr double precision = 1000;
constexpr std::size_t most = 298'261'617;    // particles; limit of xdrfile's buffers
constexpr std::size_t head_size = 56, packed_head_size = 36;

GridPoint to_grid(std::string const& path, std::int64_t step, std::size_t particle, Vec3<> const& position) {
    GridPoint point;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(std::abs(position[axis]) <= detail::xtc_farthest))
            detail::refuse_position(path, step, particle, position[axis], "at most 2147483 nm either way");
        point[axis] = static_cast<std::int32_t>(std::lround(position[axis] * precision));
    }
    return point;
}

void add_head(std::string& frame, std::size_t particles, std::optional<Box> const& box, std::int64_t number, double time) {
    add_int(frame, detail::xtc_magic);
    add_int(frame, static_cast<std::int32_t>(particles));
    add_int(frame, static_cast<std::int32_t>(number));
    add_float(frame, static_cast<float>(time));
    for (auto const& vector : box ? std::array{box->a, box->b, box->c} : std::array<Vec3<>, 3>{})
        for (std::size_t axis = 0; axis < 3; ++axis) add_float(frame, static_cast<float>(vector[axis]));
    add_int(frame, static_cast<std::int32_t>(particles));
}

void add_packed(std::string& frame, detail::XtcPacked const& packed) {
    add_float(frame, static_cast<float>(precision));
    for (auto const low : packed.box.low) add_int(frame, low);
    for (auto const high : packed.high) add_int(frame, high);
    add_int(frame, packed.range);
    add_int(frame, static_cast<std::int32_t>(packed.bits.size()));
    frame += packed.bits;
    frame.append(detail::padded(packed.bits.size()) - packed.bits.size(), '\0');
}

/// Throws SimulationError for points whose difference overflows.
void check_span(std::string const& path, std::int64_t step, std::vector<GridPoint> const& points) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto const [low, high] = std::minmax_element(points.begin(), points.end(), [&](auto& a, auto& b) { return a[axis] < b[axis]; });
        if (std::int64_t{(*high)[axis]} - (*low)[axis] >= std::numeric_limits<std::int32_t>::max() - 2)
            throw SimulationError(path + ": at step " + std::to_string(step) + " particles " + std::to_string(low - points.begin()) +
                                  " and " + std::to_string(high - points.begin()) +
                                  " are farther apart than the 2147483 nm that an XTC file can hold");
    }
}

/// Returns the numbering of a file whose first frame has this number.
FrameNumbers numbers_of(TrajectorySettings const& settings, std::int32_t first) {
    if (first == settings.first_step) return FrameNumbers::steps;
    if (first == 1 && settings.last_step > detail::largest_number) return FrameNumbers::frames;
    bool const in_intervals = settings.first_step % settings.interval == 0 && first == settings.first_step / settings.interval;
    return in_intervals ? FrameNumbers::intervals : FrameNumbers::steps;
}

struct Found {
    std::int64_t frames = 0;
    FrameNumbers numbers;
};

/// Examines the first `size` bytes of an existing file. Throws InputError unless they are whole frames of such a
/// trajectory.
Found examine(std::string const& path, TrajectorySettings const& settings, std::uint64_t size) {
    auto const file = detail::open_to_resume(path);
    Found found{0, frame_numbers(settings)};
    std::uint64_t position = 0;
    for (; position < size; ++found.frames) {
        auto const head = detail::read_part(file, path, position, head_size);
        auto const at = [&](std::size_t place) { return detail::number_from<std::int32_t>(head.data() + place, Order::Big); };
        if (at(0) != detail::xtc_magic || static_cast<std::uint32_t>(at(4)) != settings.particles)
            throw InputError(path + ": cannot be continued: it is not an XTC file of " + std::to_string(settings.particles) + " particles");
        if (found.frames == 0) found.numbers = numbers_of(settings, at(8));
        position += head_size;
        if (settings.particles <= detail::xtc_plain_most) {
            position += 12 * settings.particles;
        } else {
            auto const count = detail::read_part(file, path, position + packed_head_size - 4, 4);
            position += packed_head_size + detail::padded(detail::number_from<std::uint32_t>(count.data(), Order::Big));
        }
    }
    if (position != size)
        throw InputError(path + ": cannot be continued at byte " + std::to_string(size) + ", which is inside a frame");
    return found;
}

TrajectorySettings const& check(std::string const& path, TrajectorySettings const& settings) {
    if (settings.particles > most)
        throw UnsupportedError(path + ": an XTC file cannot hold " + std::to_string(settings.particles) + " particles, only " +
                               std::to_string(most));
    if (settings.interval < 1) detail::refuse_interval(path, settings.interval);
    return settings;
}

/// Throws InputError for a file whose numbering overflows before the last step.
void check_numbers(std::string const& path, TrajectorySettings const& settings, FrameNumbers numbers) {
    auto const counted = numbers == FrameNumbers::steps ? settings.last_step : settings.last_step / settings.interval;
    if (numbers != FrameNumbers::frames && counted > detail::largest_number)
        throw InputError(path + ": cannot be continued to step " + std::to_string(settings.last_step) +
                         ": its frames are numbered by " + (numbers == FrameNumbers::steps ? "steps" : "intervals") +
                         ", and the XTC format ends at number " + std::to_string(detail::largest_number) +
                         "; expected fewer steps, or a new run from the final State");
}

}  // namespace

XtcWriter::XtcWriter(std::string path, TrajectorySettings const& settings, std::optional<FileMark> const& resume_at)
    : settings_(check(path, settings)), numbers_(frame_numbers(settings)), file_([&] {
          if (!resume_at) return AppendFile{path};
          auto const found = examine(path, settings, resume_at->bytes);
          frames_ = found.frames;
          numbers_ = found.numbers;
          check_numbers(path, settings, numbers_);
          return AppendFile{path, *resume_at};
      }()) {}

std::string XtcWriter::note() const { return detail::note_of(file_.path(), numbers_, settings_.interval); }

void XtcWriter::write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time) {
    detail::check_frame(file_.path(), settings_, positions.size());
    std::vector<GridPoint> points;
    points.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) points.push_back(to_grid(file_.path(), step, i, positions[i]));

    std::string frame;
    auto const number = numbers_ == FrameNumbers::steps       ? step
                        : numbers_ == FrameNumbers::intervals ? step / settings_.interval
                                                              : frames_ + 1;
    // only exceeded beyond the stated last step
    add_head(frame, positions.size(), box, std::min(number, detail::largest_number), time);
    if (positions.size() <= detail::xtc_plain_most) {
        for (auto const& position : positions)
            for (std::size_t axis = 0; axis < 3; ++axis) add_float(frame, static_cast<float>(position[axis]));
    } else {
        check_span(file_.path(), step, points);
        auto const packed = detail::pack(std::move(points));
        if (packed.bits.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            throw UnsupportedError(file_.path() + ": a frame exceeds the 2 GiB that an XTC file can hold");
        add_packed(frame, packed);
    }
    file_.append(frame);
    ++frames_;
}

}  // namespace trotter
