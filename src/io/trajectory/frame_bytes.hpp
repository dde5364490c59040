// Converts numbers to and from bytes of trajectory files, and checks common to both formats.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/io/trajectory.hpp>

#include "io/files/descriptor.hpp"

namespace trotter::detail {

enum class Order { Little, Big };

constexpr double charmm_time = 0.04888821;   ///< CHARMM's time unit [ps], used in DCD files
constexpr std::int32_t xtc_magic = 1995;     ///< first integer of a frame
constexpr std::size_t xtc_plain_most = 9;    ///< largest number of particles stored as plain floats
constexpr double xtc_farthest = 2147483;       ///< largest coordinate that fits [nm]
constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }  ///< rounds up to XDR's multiple of four

/// Appends a number.
template <Order order, class T> void add(std::string& bytes, T value) {
    char text[sizeof value];
    std::memcpy(text, &value, sizeof value);
    if (order == Order::Big) std::reverse(text, text + sizeof value);
    bytes.append(text, sizeof value);
}

/// A number from bytes of the given order.
template <class T> T number_from(char const* bytes, Order order) {
    char text[sizeof(T)];
    std::memcpy(text, bytes, sizeof text);
    if (order == Order::Big) std::reverse(text, text + sizeof text);
    T value;
    std::memcpy(&value, text, sizeof value);
    return value;
}

inline void check_frame(std::string const& path, TrajectorySettings const& settings, std::size_t positions) {
    if (positions != settings.particles)
        throw Error(path + ": a frame of " + std::to_string(positions) + " particles in a trajectory of " +
                    std::to_string(settings.particles));
}

[[noreturn]] inline void refuse_position(std::string const& path, std::int64_t step, std::size_t particle, double value,
                                         char const* range) {
    throw SimulationError(path + ": at step " + std::to_string(step) + " particle " + std::to_string(particle) +
                          " has the coordinate " + format_number(value) + " nm, expected " + range);
}

[[noreturn]] inline void refuse_interval(std::string const& path, std::int64_t interval) {
    throw InputError(path + ": the interval between frames is " + std::to_string(interval) + " steps, expected at least 1");
}

constexpr std::int64_t largest_number = std::numeric_limits<std::int32_t>::max();  ///< largest frame number

/// Text of a writer's `note`.
std::string note_of(std::string const& path, FrameNumbers numbers, std::int64_t interval);

inline Descriptor open_to_resume(std::string const& path) {
    Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (!file) throw InputError(path + ": cannot be opened to continue it: " + errno_text());
    if (!is_regular(file)) throw InputError(path + ": is a pipe or device, expected a file to continue");
    return file;
}

inline std::string read_part(Descriptor const& file, std::string const& path, std::uint64_t position, std::size_t size) {
    std::string bytes(size, '\0');
    if (!read_all_at(file.get(), bytes.data(), size, position))
        throw InputError(path + ": cannot be continued: it ends before byte " + std::to_string(position + size));
    return bytes;
}

}  // namespace trotter::detail
