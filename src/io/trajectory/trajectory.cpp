// Chooses the format of a trajectory by its name.
// SPDX-License-Identifier: MIT
#include <trotter/io/trajectory.hpp>

#include <utility>

#include <trotter/error.hpp>

namespace trotter {

TrajectoryWriter::Writer TrajectoryWriter::open(std::string path, TrajectorySettings const& settings,
                                                std::optional<FileMark> const& resume_at) {
    if (path.ends_with(".dcd")) return DcdWriter(std::move(path), settings, resume_at);
    if (path.ends_with(".xtc")) return XtcWriter(std::move(path), settings, resume_at);
    if (path.ends_with(".nc")) return NetcdfWriter(std::move(path), settings, resume_at);
    throw InputError(path + ": the format of the trajectory is not known, expected a name that ends in .dcd, .xtc or .nc");
}

void TrajectoryWriter::write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step,
                             double time) {
    std::visit([&](auto& writer) { writer.write(positions, box, step, time); }, writer_);
}
void TrajectoryWriter::sync() {
    std::visit([](auto& writer) { writer.sync(); }, writer_);
}
FileMark const& TrajectoryWriter::mark() const {
    return std::visit([](auto const& writer) -> FileMark const& { return writer.mark(); }, writer_);
}
std::string TrajectoryWriter::note() const {
    return std::visit([](auto const& writer) { return writer.note(); }, writer_);
}

}  // namespace trotter
