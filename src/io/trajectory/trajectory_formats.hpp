// Formats of a TrajectoryReader: constructors read the header, then frames are read one by one.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trotter/io/trajectory_reader.hpp>

#include "byte_source.hpp"

namespace trotter::detail {

class DcdFrames {
public:
    static bool begins_with(std::string_view bytes) {
        using namespace std::string_view_literals;
        return bytes == "\x54\0\0\0"sv || bytes == "\0\0\0\x54"sv;
    }
    explicit DcdFrames(ByteSource& in);
    std::size_t particles() const { return particles_; }
    bool read(ByteSource& in, TrajectoryFrame& frame);

private:
    void read_counts(ByteSource& in);
    std::optional<Box> read_box(ByteSource& in) const;

    std::size_t particles_ = 0;
    std::int64_t stated_ = 0, read_ = 0;  ///< frames
    std::int64_t first_ = 0, interval_ = 0;
    double step_size_ = 0;  ///< [ps]
    bool periodic_ = false;
};

class XtcFrames {
public:
    static bool begins_with(std::string_view bytes) {
        return bytes.size() == 4 && number_from<std::int32_t>(bytes.data(), Order::Big) == xtc_magic;
    }
    explicit XtcFrames(ByteSource& in);
    std::size_t particles() const { return particles_; }
    bool read(ByteSource& in, TrajectoryFrame& frame);

private:
    void read_packed(ByteSource& in, std::size_t count, TrajectoryFrame& frame) const;

    std::size_t particles_ = 0;
};

}  // namespace trotter::detail
