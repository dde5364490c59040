// Maps positions for neighbor searches: brings distant particles near.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// The time, memory or digits of a search by cells, or with positions in units of the cell, would grow with the extent
/// of the System. So particles far from all others are moved near them where this changes no pair; differences of
/// particles in range keep all digits of their positions. The map holds while particles stay near the positions it was
/// made for.
class NearPositions {
public:
    /// No shift along axes on which all particles are within this distance [nm].
    static constexpr double roomy = 1000;

    /// For nonperiodic systems. Narrows gaps along an axis wider than `width`, which no pair in range spans, to
    /// `width`.
    void close_gaps(std::vector<Vec3<>> const& positions, double width);

    /// For periodic boxes. Very distant particles cannot be wrapped into the box by whole box vectors in double
    /// precision: such a particle is in range only of particles with the same `parts` number.
    void fold(std::vector<Vec3<>> const& positions, Box const& box);

    bool are_moved() const { return !from_.empty(); }
    Vec3<> moved(Vec3<> const& position, std::size_t particle) const {
        return position - from_[particle] + to_[particle];
    }
    /// Per particle: vectors subtracted first, then added. Both are exact in the digits of positions; their sum is not.
    std::vector<Vec3<>> const& from() const { return from_; }
    std::vector<Vec3<>> const& to() const { return to_; }
    /// Per particle: particles with different numbers are not in range, wherever they appear. Empty if all are equal.
    std::vector<int> const& parts() const { return parts_; }

private:
    void clear();
    void make_room(std::size_t count);
    void close_gaps(std::vector<Vec3<>> const& positions, std::size_t axis, double width);

    std::vector<Vec3<>> from_, to_;
    std::vector<int> parts_;
};

}  // namespace trotter
