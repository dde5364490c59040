// Recognizes the format of a trajectory by its first bytes.
// SPDX-License-Identifier: MIT
#include <trotter/io/trajectory_reader.hpp>

#include <utility>
#include <variant>

#include "trajectory_formats.hpp"

namespace trotter {

using detail::ByteSource, detail::DcdFrames, detail::NetcdfFrames, detail::XtcFrames;

struct TrajectoryReader::Source {
    using Frames = std::variant<DcdFrames, XtcFrames, NetcdfFrames>;

    explicit Source(std::string path) : bytes(std::move(path)), frames(recognize(bytes)) {}

    static Frames recognize(ByteSource& bytes) {
        if (bytes.at_end()) return XtcFrames{bytes};
        std::string const start{bytes.take(4)};
        bytes.rewind();
        if (DcdFrames::begins_with(start)) return DcdFrames{bytes};
        if (XtcFrames::begins_with(start)) return XtcFrames{bytes};
        if (NetcdfFrames::begins_with(start)) return NetcdfFrames{bytes};
        if (start == "\x89HDF") bytes.fail("is NetCDF-4 (HDF5), expected NetCDF-3, classic or with 64-bit offsets");
        bytes.fail("is not a trajectory that can be read, expected the start of a DCD, XTC or NetCDF file");
    }

    ByteSource bytes;
    Frames frames;
};

TrajectoryReader::TrajectoryReader(std::string path) : source_(std::make_unique<Source>(std::move(path))) {}
TrajectoryReader::TrajectoryReader(TrajectoryReader&&) noexcept = default;
TrajectoryReader& TrajectoryReader::operator=(TrajectoryReader&&) noexcept = default;
TrajectoryReader::~TrajectoryReader() = default;

std::size_t TrajectoryReader::particles() const {
    return std::visit([](auto const& frames) { return frames.particles(); }, source_->frames);
}

bool TrajectoryReader::read(TrajectoryFrame& frame) {
    return std::visit([&](auto& frames) { return frames.read(source_->bytes, frame); }, source_->frames);
}

std::vector<TrajectoryFrame> read_trajectory(std::string const& path) {
    TrajectoryReader reader{path};
    std::vector<TrajectoryFrame> frames;
    for (auto const& frame : reader) frames.push_back(frame);
    return frames;
}

}  // namespace trotter
