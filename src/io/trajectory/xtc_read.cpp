// Reads XTC frames.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "trajectory_formats.hpp"
#include "xtc_coding.hpp"

namespace trotter::detail {
namespace {

std::optional<Box> read_box(ByteSource& in) {
    Box box;
    for (auto* vector : {&box.a, &box.b, &box.c})
        for (std::size_t axis = 0; axis < 3; ++axis) (*vector)[axis] = double{in.number<float>()};
    if (!std::isfinite(box.volume())) in.fail("damaged: the box vectors are not finite numbers");
    return box.volume() != 0 ? std::optional{box} : std::nullopt;
}

XtcPacked read_ranges(ByteSource& in) {
    XtcPacked packed{};
    for (auto& low : packed.box.low) low = in.number<std::int32_t>();
    for (auto& high : packed.high) high = in.number<std::int32_t>();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (packed.high[axis] < packed.box.low[axis]) in.fail("damaged: a range of coordinates is empty");
        packed.box.sizes[axis] = static_cast<std::uint32_t>(std::int64_t{packed.high[axis]} - packed.box.low[axis] + 1);
        if (packed.box.sizes[axis] == 0) in.fail("damaged: a range of coordinates is too wide");
    }
    packed.range = in.number<std::int32_t>();
    if (packed.range < first_range || packed.range > last_range) in.fail("damaged: unexpected width of differences");
    return packed;
}

}  // namespace

XtcFrames::XtcFrames(ByteSource& in) {
    in.order = Order::Big;
    if (in.at_end()) return;
    in.take(4);
    particles_ = in.number<std::uint32_t>();
    in.rewind();
}

void XtcFrames::read_packed(ByteSource& in, std::size_t count, TrajectoryFrame& frame) const {
    auto const scale = double{in.number<float>()};
    if (!(scale > 0 && std::isfinite(scale))) in.fail("damaged: the precision is not a positive number");
    auto packed = read_ranges(in);
    auto const size = in.number<std::uint32_t>();
    packed.bits = in.take(padded(size)).substr(0, size);
    auto const points = unpack(packed, count);
    if (points.empty()) in.fail("damaged: the compressed coordinates do not decode");
    frame.positions.clear();
    for (auto const& [x, y, z] : points) frame.positions.push_back({x / scale, y / scale, z / scale});
}

bool XtcFrames::read(ByteSource& in, TrajectoryFrame& frame) {
    if (in.at_end()) return false;
    in.expect(xtc_magic, "the start of a frame");
    auto const count = in.number<std::uint32_t>();
    if (count != particles_)
        in.fail("has a frame of " + std::to_string(count) + " particles, expected " + std::to_string(particles_) +
                " as in the first");
    frame.step = in.number<std::int32_t>();
    frame.time = double{in.number<float>()};
    frame.box = read_box(in);
    in.expect(count, "the number of particles");
    if (count > xtc_plain_most) {
        read_packed(in, count, frame);
    } else {
        frame.positions.resize(count);
        for (auto& position : frame.positions)
            for (std::size_t axis = 0; axis < 3; ++axis) position[axis] = double{in.number<float>()};
    }
    return true;
}

}  // namespace trotter::detail
