// XTC frames: big-endian XDR around the compressed coordinates.
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

constexpr std::int32_t magic = 1995;
constexpr double precision = 1000;
constexpr double farthest = 2147483;         // nm
constexpr std::size_t most = 298'261'617;    // particles; xdrfile's buffers end there
constexpr std::size_t uncompressed_most = 9; // so few particles are sent as plain floats
constexpr std::size_t head_size = 56, packed_head_size = 36;

constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

GridPoint to_grid(std::string const& path, std::int64_t step, std::size_t particle, Vec3<> const& position) {
    GridPoint point;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(std::abs(position[axis]) <= farthest))
            detail::refuse_position(path, step, particle, position[axis], "at most 2147483 nm either way");
        point[axis] = static_cast<std::int32_t>(std::lround(position[axis] * precision));
    }
    return point;
}

void add_head(std::string& frame, std::size_t particles, std::optional<Box> const& box, std::int64_t number, double time) {
    add_int(frame, magic);
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
    frame.append(padded(packed.bits.size()) - packed.bits.size(), '\0');
}

/// Refuses points that a signed difference cannot connect.
void check_span(std::string const& path, std::int64_t step, std::vector<GridPoint> const& points) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto const [low, high] = std::minmax_element(points.begin(), points.end(), [&](auto& a, auto& b) { return a[axis] < b[axis]; });
        if (std::int64_t{(*high)[axis]} - (*low)[axis] >= std::numeric_limits<std::int32_t>::max() - 2)
            throw SimulationError(path + ": at step " + std::to_string(step) + " particles " + std::to_string(low - points.begin()) +
                                  " and " + std::to_string(high - points.begin()) +
                                  " are farther apart than the 2147483 nm that an XTC file can hold");
    }
}

/// How a file is numbered whose first frame has this number.
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

/// What the first `size` bytes of an existing file hold, if they are whole frames of such a trajectory.
Found examine(std::string const& path, TrajectorySettings const& settings, std::uint64_t size) {
    auto const file = detail::open_to_resume(path);
    Found found{0, frame_numbers(settings)};
    std::uint64_t position = 0;
    for (; position < size; ++found.frames) {
        auto const head = detail::read_part(file, path, position, head_size);
        detail::ByteReader<Order::Big> in{head, path};
        if (in.number<std::int32_t>() != magic || in.number<std::uint32_t>() != settings.particles)
            throw InputError(path + ": cannot be continued: it is not an XTC file of " + std::to_string(settings.particles) + " particles");
        auto const number = in.number<std::int32_t>();
        if (found.frames == 0) found.numbers = numbers_of(settings, number);
        position += head_size;
        if (settings.particles <= uncompressed_most) {
            position += 12 * settings.particles;
        } else {
            auto const count = detail::read_part(file, path, position + packed_head_size - 4, 4);
            position += packed_head_size + padded(detail::ByteReader<Order::Big>{count, path}.number<std::uint32_t>());
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
    if (settings.interval < 1) throw Error(path + ": the interval of a trajectory must be at least 1");
    return settings;
}

/// Refuses to go on with a file whose numbers end before the last step.
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
    // Only a last step that nobody told goes beyond.
    add_head(frame, positions.size(), box, std::min(number, detail::largest_number), time);
    if (positions.size() <= uncompressed_most) {
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

namespace {

std::vector<Vec3<double>> read_positions(detail::ByteReader<Order::Big>& in, std::uint32_t count) {
    std::vector<Vec3<double>> positions;
    if (count <= uncompressed_most) {
        for (std::uint32_t i = 0; i < count; ++i) {
            auto const x = in.number<float>(), y = in.number<float>(), z = in.number<float>();
            positions.push_back({double{x}, double{y}, double{z}});
        }
        return positions;
    }
    auto const scale = double{in.number<float>()};
    detail::XtcPacked packed{};
    for (auto& low : packed.box.low) low = in.number<std::int32_t>();
    for (auto& high : packed.high) high = in.number<std::int32_t>();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (packed.high[axis] < packed.box.low[axis]) in.fail("damaged: a range of coordinates is empty");
        packed.box.sizes[axis] = static_cast<std::uint32_t>(std::int64_t{packed.high[axis]} - packed.box.low[axis] + 1);
        if (packed.box.sizes[axis] == 0) in.fail("damaged: a range of coordinates is too wide");
    }
    packed.range = in.number<std::int32_t>();
    if (packed.range < detail::first_range || packed.range > detail::last_range) in.fail("damaged: unexpected width of differences");
    auto const size = in.number<std::uint32_t>();
    packed.bits = in.take(size);
    in.take(padded(size) - size);
    auto const points = detail::unpack(packed, count);
    if (points.empty()) in.fail("damaged: the compressed coordinates do not decode");
    for (auto const& [x, y, z] : points) positions.push_back({x / scale, y / scale, z / scale});
    return positions;
}

}  // namespace

std::vector<TrajectoryFrame> read_xtc(std::string const& path) {
    auto const bytes = read_file(path);
    detail::ByteReader<Order::Big> in{bytes, path};
    std::vector<TrajectoryFrame> frames;
    while (!in.at_end()) {
        in.expect(magic, "start of a frame");
        auto const count = in.number<std::uint32_t>();
        TrajectoryFrame frame;
        frame.step = in.number<std::int32_t>();
        frame.time = double{in.number<float>()};
        Box box;
        for (auto* vector : {&box.a, &box.b, &box.c})
            for (std::size_t axis = 0; axis < 3; ++axis) (*vector)[axis] = double{in.number<float>()};
        if (box.volume() != 0) frame.box = box;
        in.expect(count, "number of particles");
        frame.positions = read_positions(in, count);
        frames.push_back(std::move(frame));
    }
    return frames;
}

}  // namespace trotter
