// Writes trajectories that MDTraj, MDAnalysis and VMD open, DCD and XTC, whole frame by whole frame.
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

/// What a file's head and frame numbers depend on.
struct TrajectorySettings {
    std::size_t particles = 0;  ///< positions in each frame
    double step_size = 0;         ///< of the simulation [ps]
    std::int64_t interval = 1;    ///< steps between frames
    std::int64_t first_step = 1;  ///< the step of the first frame
    std::int64_t last_step = 0;   ///< the last one that the simulation will reach, where that is known
};

/// What the frames of a file are numbered by. Both formats hold 31 bits, and a file has one numbering: the first of these
/// whose number for the last step fits.
enum class FrameNumbers {
    steps,
    intervals,  ///< the step divided by the interval
    frames      ///< 1, 2, 3, …
};

/// The numbering of a new file with these settings.
FrameNumbers frame_numbers(TrajectorySettings const& settings);

/// DCD as CHARMM and OpenMM write it: Å in float, unit cell with cosines, frame count in the head kept up to date.
/// Times follow from the numbers of the frames, and begin anew where `FrameNumbers::frames` is all that fits.
class DcdWriter {
public:
    /// Starts a file, or goes on after what a checkpoint recorded; what stands behind that is cut off. Throws OutputError;
    /// InputError if the file there is another trajectory, or not as it was written.
    explicit DcdWriter(std::string path, TrajectorySettings const& settings,
                       std::optional<FileMark> const& resume_at = {});

    /// Adds a frame: positions [nm], box vectors if periodic; all frames must agree on that. Step and time follow from
    /// the settings. Throws SimulationError for a position that is not finite or out of range, naming step and particle;
    /// OutputError if it cannot be written, and then the file ends with the frame before.
    void write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time);

    /// Waits until all frames are on the disk. To be called before a checkpoint that holds `mark()`.
    void sync() { file_.sync(); }

    /// The whole frames so far.
    FileMark const& mark() const { return file_.mark(); }

    /// A sentence for the user where frames are not numbered by steps; else empty.
    std::string note() const;

private:
    TrajectorySettings settings_;
    std::int64_t frames_ = 0;
    bool periodic_ = false;
    std::string frame_;
    AppendFile file_;
};

/// XTC: nm to three decimals, compressed. Every frame has its time, however it is numbered.
class XtcWriter {
public:
    /// As DcdWriter's. Throws UnsupportedError for more particles than the format's readers can take, InputError for a
    /// file to be continued whose frames are numbered by what cannot count up to the last step.
    explicit XtcWriter(std::string path, TrajectorySettings const& settings,
                       std::optional<FileMark> const& resume_at = {});

    /// As DcdWriter's. Coordinates beyond ±2147483 nm, or further apart than that, throw SimulationError.
    void write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time);

    /// As that of DcdWriter.
    void sync() { file_.sync(); }
    /// The whole frames so far.
    FileMark const& mark() const { return file_.mark(); }
    std::string note() const;  ///< as that of DcdWriter

private:
    TrajectorySettings settings_;
    std::int64_t frames_ = 0;
    FrameNumbers numbers_;
    AppendFile file_;
};

/// A DcdWriter or an XtcWriter, by the ending of the name.
class TrajectoryWriter {
public:
    /// As those of the formats. Throws InputError where the name ends in neither `.dcd` nor `.xtc`.
    explicit TrajectoryWriter(std::string path, TrajectorySettings const& settings,
                              std::optional<FileMark> const& resume_at = {})
        : writer_(open(std::move(path), settings, resume_at)) {}

    /// Adds a frame, as that of DcdWriter.
    void write(std::span<Vec3<double> const> positions, std::optional<Box> const& box, std::int64_t step, double time);
    void sync();  ///< waits until all frames are on the disk
    FileMark const& mark() const;  ///< the whole frames so far
    std::string note() const;  ///< as that of DcdWriter

private:
    static std::variant<DcdWriter, XtcWriter> open(std::string path, TrajectorySettings const& settings,
                                                   std::optional<FileMark> const& resume_at);

    std::variant<DcdWriter, XtcWriter> writer_;
};

}  // namespace trotter
