// Writes trajectories that MDTraj, MDAnalysis and VMD open, DCD, XTC and NetCDF, whole frame by whole frame.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <trotter/box.hpp>
#include <trotter/io/file.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Settings that determine a file's header and frame numbers.
struct TrajectorySettings {
    std::size_t particles = 0;  ///< positions in each frame
    double step_size = 0;         ///< of the simulation [ps]
    std::int64_t interval = 1;    ///< steps between frames
    std::int64_t first_step = 1;  ///< the step of the first frame
    std::int64_t last_step = 0;   ///< last step of the simulation, if known
};

/// Numbering of the frames of a DCD or XTC file. Both have 31 bits; the first numbering in which the last step fits is
/// used.
enum class FrameNumbers {
    steps,
    intervals,  ///< the step divided by the interval
    frames      ///< 1, 2, 3, …
};

/// The numbering of a new file with these settings.
FrameNumbers frame_numbers(TrajectorySettings const& settings);

/// Writes DCD as CHARMM and OpenMM: Å in float, unit cell with cosines, frame count in the header kept up to date.
/// Times follow from the frame numbers, and restart with `FrameNumbers::frames`.
class DcdWriter {
public:
    /// Starts a file, or continues at the state recorded in a checkpoint; later frames are removed. Throws OutputError;
    /// InputError if the existing file is another trajectory or was modified.
    explicit DcdWriter(std::string path, TrajectorySettings const& settings,
                       std::optional<FileMark> const& resume_at = {});

    /// Adds a frame: positions [nm], box vectors if periodic, in all frames or none. Step and time follow from the
    /// settings. Throws SimulationError for a position that is not finite or out of range, naming step and particle;
    /// OutputError if it cannot be written; the file then ends with the previous frame.
    void write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time);

    /// Flushes all frames to disk. Call before writing a checkpoint with `mark()`.
    void sync() { file_.sync(); }

    /// Length and checksum of the complete frames.
    FileMark const& mark() const { return file_.mark(); }

    /// A sentence for the user if frames are not numbered by steps; else empty.
    std::string note() const;

private:
    TrajectorySettings settings_;
    std::int64_t frames_ = 0;
    bool periodic_ = false;
    std::string frame_;
    AppendFile file_;
};

/// Writes XTC: nm to three decimals, compressed. Every frame has its time, in any numbering.
class XtcWriter {
public:
    /// As DcdWriter. Throws UnsupportedError for more particles than readers of the format support, InputError for an
    /// existing file whose numbering overflows before the last step.
    explicit XtcWriter(std::string path, TrajectorySettings const& settings,
                       std::optional<FileMark> const& resume_at = {});

    /// As DcdWriter. Throws SimulationError for coordinates beyond ±2147483 nm, or further apart than that.
    void write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time);

    /// As DcdWriter.
    void sync() { file_.sync(); }
    /// Length and checksum of the complete frames.
    FileMark const& mark() const { return file_.mark(); }
    std::string note() const;  ///< as DcdWriter

private:
    TrajectorySettings settings_;
    std::int64_t frames_ = 0;
    FrameNumbers numbers_;
    AppendFile file_;
};

/// Writes NetCDF by the AMBER convention 1.0 (ambermd.org/netcdf/nctraj.xhtml), NetCDF-3 with 64-bit offsets: Å in float,
/// time [ps] in float, cell lengths and angles in double; in addition the step of each frame in double. The number of
/// frames in the header is kept up to date.
class NetcdfWriter {
public:
    /// As DcdWriter. Throws UnsupportedError for no particles and for more than 357913939, which the format cannot hold.
    explicit NetcdfWriter(std::string path, TrajectorySettings const& settings,
                          std::optional<FileMark> const& resume_at = {});

    /// As DcdWriter; step and time are stored.
    void write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time);

    /// As DcdWriter.
    void sync() { file_.sync(); }
    /// Length and checksum of the complete frames.
    FileMark const& mark() const { return file_.mark(); }
    /// Empty: frames have their steps.
    std::string note() const { return {}; }

private:
    TrajectorySettings settings_;
    std::int64_t frames_ = 0;
    bool periodic_ = false;
    std::string frame_;
    AppendFile file_;
};

/// A DcdWriter, an XtcWriter or a NetcdfWriter, by the ending of the name.
class TrajectoryWriter {
public:
    /// As the writers of the formats. Throws InputError unless the name ends in `.dcd`, `.xtc` or `.nc`.
    explicit TrajectoryWriter(std::string path, TrajectorySettings const& settings,
                              std::optional<FileMark> const& resume_at = {})
        : writer_(open(std::move(path), settings, resume_at)) {}

    /// Adds a frame, as DcdWriter.
    void write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time);
    void sync();  ///< flushes all frames to disk
    FileMark const& mark() const;  ///< length and checksum of the complete frames
    std::string note() const;  ///< as DcdWriter

private:
    using Writer = std::variant<DcdWriter, XtcWriter, NetcdfWriter>;
    static Writer open(std::string path, TrajectorySettings const& settings, std::optional<FileMark> const& resume_at);

    Writer writer_;
};

}  // namespace trotter
