// Reads DCD, XTC and NetCDF trajectories frame by frame.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// One frame as stored in the file. DCD stores no time; it is computed from step and step size.
struct TrajectoryFrame {
    std::int64_t step = 0;                  ///< frame number if the writer could not store steps (`FrameNumbers`)
    double time = 0;                        ///< [ps]
    std::vector<Vec3<double>> positions{};  ///< [nm]
    std::optional<Box> box{};               ///< [nm]; not necessarily in reduced form (`Box::check`)
};

/// Reads a trajectory frame by frame, so that it need not fit in memory:
///
///     TrajectoryReader trajectory("water.dcd");
///     for (auto const& frame : trajectory) use(frame.positions);
///
/// The format is recognized by content, not by name; gzip files are expanded on the fly. Formats:
/// - DCD in either byte order, as CHARMM, NAMD, X-PLOR, OpenMM, MDTraj and MDAnalysis write it; coordinates in Å. The
///   unit cell may have cosines or degrees. Rejected are files of velocities, with fixed particles (absent from later
///   frames), with a fourth dimension, and with the shape matrix of a skewed cell (CHARMM since version 25), as far as
///   it can be distinguished from angles: by a value that is neither a cosine nor within 30° to 150°.
/// - XTC as GROMACS writes it, except frames of more than 298 million particles (magic number 2023) of GROMACS 2023. An
///   empty file is an XTC file without frames.
/// - NetCDF-3, classic or with 64-bit offsets, as AMBER, MDTraj, MDAnalysis and ParmEd write it: coordinates in angstrom or
///   nanometer, with or without time and unit cell; frames are numbered from 1 where the file has no steps, as
///   only Trotter's have. Rejected are restarts, and NetCDF-4.
///
/// Memory use is limited by the file's contents, not by sizes in a damaged file. Sources: the DCD plug-in of VMD, the
/// xdrfile library of GROMACS, the NetCDF convention of AMBER.
class TrajectoryReader {
public:
    /// Opens the file and reads its header. Throws InputError with file, byte offset and expected content if it cannot
    /// be read, has another format or is damaged.
    explicit TrajectoryReader(std::string path);
    TrajectoryReader(TrajectoryReader&&) noexcept;  ///< leaves an object that can only be destroyed
    TrajectoryReader& operator=(TrajectoryReader&&) noexcept;  ///< closes the file of this object first
    ~TrajectoryReader();

    /// Number of particles in every frame; 0 if the file has no frames.
    std::size_t particles() const;

    /// Reads the next frame into `frame`; false after the last, with `frame` unspecified. Throws InputError if the file
    /// is damaged, ends inside a frame, or has fewer frames than stated in its header (0: unknown; more frames than
    /// stated are read, as written by a killed program). All earlier frames are valid.
    bool read(TrajectoryFrame& frame);

    /// Input iterator over the remaining frames; each replaces the previous one.
    class Iterator {
    public:
        using value_type = TrajectoryFrame;  ///< a frame
        using difference_type = std::ptrdiff_t;  ///< of an input iterator

        /// Reads the first frame.
        explicit Iterator(TrajectoryReader& reader) : reader_(&reader) { ++*this; }
        /// The frame last read.
        TrajectoryFrame const& operator*() const { return reader_->frame_; }
        /// The frame last read.
        TrajectoryFrame const* operator->() const { return &reader_->frame_; }
        /// Reads the next frame; throws as `read` does.
        Iterator& operator++() {
            at_end_ = !reader_->read(reader_->frame_);
            return *this;
        }
        /// Reads the next frame; throws as `read` does.
        void operator++(int) { ++*this; }
        /// Whether all frames have been read.
        friend bool operator==(Iterator const& iterator, std::default_sentinel_t) { return iterator.at_end_; }

    private:
        TrajectoryReader* reader_;
        bool at_end_ = false;
    };
    /// Reads the next frame.
    Iterator begin() { return Iterator{*this}; }
    /// Past-the-end sentinel.
    std::default_sentinel_t end() const { return {}; }

private:
    struct Source;
    std::unique_ptr<Source> source_;
    TrajectoryFrame frame_;
};

/// All frames of a file. Throws as TrajectoryReader does.
std::vector<TrajectoryFrame> read_trajectory(std::string const& path);

}  // namespace trotter
