// Chooses the frame numbering of trajectories if steps do not fit.
// SPDX-License-Identifier: MIT
#include <trotter/io/trajectory.hpp>

#include "frame_bytes.hpp"

namespace trotter {

FrameNumbers frame_numbers(TrajectorySettings const& settings) {
    auto const last = std::max(settings.first_step, settings.last_step);
    if (last <= detail::largest_number) return FrameNumbers::steps;
    // A first frame between two multiples of the interval would get too small a number.
    if (settings.first_step % settings.interval == 0 && last / settings.interval <= detail::largest_number)
        return FrameNumbers::intervals;
    return FrameNumbers::frames;
}

namespace detail {

std::string note_of(std::string const& path, FrameNumbers numbers, std::int64_t interval) {
    if (numbers == FrameNumbers::steps) return {};
    return path + ": steps beyond " + std::to_string(largest_number) + " do not fit the format; its frames are numbered " +
           (numbers == FrameNumbers::intervals ? "by intervals of " + std::to_string(interval) + " steps" : "1, 2, 3, …");
}

}  // namespace detail
}  // namespace trotter
