// Reads DCD and XTC trajectories frame by frame.
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

/// One frame, with the numbers that the file has. A DCD file holds no time but the step size, of which this is a multiple.
struct TrajectoryFrame {
    std::int64_t step = 0;                  ///< the number of the frame, where a writer could not use steps (`FrameNumbers`)
    double time = 0;                        ///< [ps]
    std::vector<Vec3<double>> positions{};  ///< [nm]
    std::optional<Box> box{};               ///< [nm]; those of other programs may not be in reduced form (`Box::check`)
};

/// Reads a trajectory whose frames need not fit in memory together:
///
///     TrajectoryReader trajectory("water.dcd");
///     for (auto const& frame : trajectory) use(frame.positions);
///
/// The content tells the format, not the name; a gzip file is expanded on the way. Formats:
/// - DCD in either byte order, as CHARMM, NAMD, X-PLOR, OpenMM, MDTraj and MDAnalysis write it; coordinates in Å. The unit
///   cell may have cosines or degrees. Refused are files of velocities, with fixed particles (whose later frames lack
///   these), with a fourth dimension, and with the shape matrix of a skewed cell that CHARMM writes since version 25, as
///   far as it can be told from angles: by a number that is neither a cosine nor within 30° to 150°.
/// - XTC as GROMACS writes it, without the frames of more than 298 million particles (number 2023) of GROMACS 2023.
///   An empty file is an XTC file without frames.
///
/// Memory grows with what the file has, not with what a damaged number claims. Sources: the DCD plug-in of VMD, the
/// xdrfile library of GROMACS.
class TrajectoryReader {
public:
    /// Opens the file and reads its head. Throws InputError that names the file, the byte and what was expected, where it
    /// cannot be read, is no such trajectory or is damaged.
    explicit TrajectoryReader(std::string path);
    TrajectoryReader(TrajectoryReader&&) noexcept;  ///< leaves an object that can only be destroyed
    TrajectoryReader& operator=(TrajectoryReader&&) noexcept;  ///< closes the file of this object first
    ~TrajectoryReader();

    /// Of every frame; 0 where the file has none.
    std::size_t particles() const;

    /// Reads the next frame into `frame`; false after the last, and then `frame` has no meaning. Throws InputError where
    /// the file is damaged, ends inside a frame, or ends before the last frame that its head states (0 there states
    /// nothing; more frames than stated are read, as a program that was killed leaves them). All frames before are good.
    bool read(TrajectoryFrame& frame);

    /// Goes over the frames that were not read yet; each replaces the one before.
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
        /// Whether there are no more frames.
        friend bool operator==(Iterator const& iterator, std::default_sentinel_t) { return iterator.at_end_; }

    private:
        TrajectoryReader* reader_;
        bool at_end_ = false;
    };
    /// Reads the first frame that was not read yet.
    Iterator begin() { return Iterator{*this}; }
    /// After the last frame.
    std::default_sentinel_t end() const { return {}; }

private:
    struct Source;
    std::unique_ptr<Source> source_;
    TrajectoryFrame frame_;
};

/// All frames of a file. Throws as TrajectoryReader does.
std::vector<TrajectoryFrame> read_trajectory(std::string const& path);

}  // namespace trotter
