// Numbers to and from the bytes of trajectory files, and the checks that both formats share.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/io/trajectory.hpp>

#include "descriptor.hpp"

namespace trotter::detail {

enum class Order { Little, Big };

/// Adds a number to the end of a text.
template <Order order, class T> void add(std::string& bytes, T value) {
    char text[sizeof value];
    std::memcpy(text, &value, sizeof value);
    if (order == Order::Big) std::reverse(text, text + sizeof value);
    bytes.append(text, sizeof value);
}

/// Takes numbers off the front of a text and refuses to go beyond its end.
template <Order order> class ByteReader {
public:
    ByteReader(std::string_view bytes, std::string const& path) : bytes_(bytes), size_(bytes.size()), path_(path) {}

    template <class T> T number() {
        char text[sizeof(T)];
        std::memcpy(text, take(sizeof(T)).data(), sizeof(T));
        if (order == Order::Big) std::reverse(text, text + sizeof(T));
        T value;
        std::memcpy(&value, text, sizeof value);
        return value;
    }
    std::string_view take(std::size_t size) {
        if (size > bytes_.size()) fail("ends inside a frame");
        auto const taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }
    template <class T> void expect(T value, char const* what) {
        if (number<T>() != value) fail(std::string{"damaged or of another kind: unexpected "} + what);
    }
    bool at_end() const { return bytes_.empty(); }
    std::size_t remaining() const { return bytes_.size(); }
    [[noreturn]] void fail(std::string const& what) const {
        throw InputError(path_ + ": " + what + ", at byte " + std::to_string(size_ - bytes_.size()));
    }

private:
    std::string_view bytes_;
    std::size_t size_;
    std::string const& path_;
};

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

constexpr std::int64_t largest_number = std::numeric_limits<std::int32_t>::max();  ///< of a frame

/// The sentence of a writer's `note`.
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
