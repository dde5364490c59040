// Frames of a trajectory, one after the other, with whole molecules.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/analysis/molecules.hpp>
#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// Which frames of a trajectory are read.
struct FrameRange {
    double from = -std::numeric_limits<double>::infinity();  ///< time of the first frame [ps]
    double to = std::numeric_limits<double>::infinity();     ///< time of the last frame [ps]
    int every = 1;                                           ///< one of so many, the first included
};

/// Positions at one time.
struct Frame {
    std::int64_t index = 0;           ///< among those that are read, from 0
    double time = 0;                  ///< [ps]
    std::vector<Vec3<>> positions{};  ///< [nm]; atoms that are bonded are not separated by sides of the box
    std::optional<Box> box{};         ///< in reduced form
};

/// A DCD or XTC file and what its atoms are. Only one frame is in memory at a time.
class Frames {
public:
    /// Throws InputError if there is no atom, or `every` is not positive.
    Frames(std::string trajectory, Topology topology, FrameRange range = {});

    Topology const& topology() const { return topology_; }      ///< of the atoms
    Molecules const& molecules() const { return molecules_; }   ///< of the topology
    std::string const& trajectory() const { return trajectory_; }  ///< name of the file

    /// Opens the file and calls `visit` for each frame of the range; may be called again. Throws InputError, naming the
    /// file, if it has another number of atoms, if a position is not finite, if no frame is in the range, and as
    /// TrajectoryReader does: `visit` has then been called for the frames before.
    void for_each(std::function<void(Frame const&)> const& visit) const;

    /// The first frame of the range. Throws as `for_each`.
    Frame first() const;

private:
    bool is_wanted(double time) const { return range_.from <= time && time <= range_.to; }

    std::string trajectory_;
    Topology topology_;
    FrameRange range_;
    Molecules molecules_;
};

/// Mass of each atom by its element [amu]; 0 for extra particles.
std::vector<double> masses_of(Topology const& topology);

}  // namespace trotter::app
