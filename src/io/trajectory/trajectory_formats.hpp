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

class NetcdfFrames {
public:
    static bool begins_with(std::string_view bytes) { return bytes == "CDF\1" || bytes == "CDF\2"; }
    explicit NetcdfFrames(ByteSource& in);
    std::size_t particles() const { return particles_; }
    bool read(ByteSource& in, TrajectoryFrame& frame);

private:
    /// Where a variable stands in the record of a frame, and its unit.
    struct Field {
        std::size_t offset = 0;
        std::uint32_t type = 0;
        double scale = 1, divisor = 1;
        double number(std::string_view record, std::size_t index) const;
    };
    std::optional<Box> box_in(ByteSource const& in, std::string_view record) const;

    std::size_t particles_ = 0, record_size_ = 0;
    std::int64_t stated_ = 0, read_ = 0;  ///< frames
    Field coordinates_;
    std::optional<Field> time_, step_, lengths_, angles_;
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
