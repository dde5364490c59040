// Positions as searches for pairs see them: what is far away is brought near.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// A search that sorts particles into cells, or counts positions in steps of its cell, would need time, memory or
/// digits by the extent of the System. So particles far from all others are moved near these, where that changes no
/// pair; differences of particles in range keep all the digits of their positions. What is chosen for some positions
/// holds while particles stay about where they were.
class NearPositions {
public:
    /// Nothing is moved along axes on which all particles are within this distance [nm].
    static constexpr double roomy = 1000;

    /// Without periodic images. Gaps along an axis that are wider than `width`, which no pair in range has between its
    /// particles, become that wide.
    void close_gaps(std::vector<Vec3<>> const& positions, double width);

    /// In a periodic box. So far away that whole box vectors do not lead back into the box, since double precision has no
    /// digits for that, a particle is in range of those alone that have the same number there; `parts` tells them from
    /// others.
    void fold(std::vector<Vec3<>> const& positions, Box const& box);

    bool are_moved() const { return !from_.empty(); }
    Vec3<> moved(Vec3<> const& position, std::size_t particle) const {
        return position - from_[particle] + to_[particle];
    }
    /// Of each particle: what is subtracted first, and then added. Both are exact to the digits of positions, which
    /// their sum is not.
    std::vector<Vec3<>> const& from() const { return from_; }
    std::vector<Vec3<>> const& to() const { return to_; }
    /// Of each particle: those of another number are not in range, wherever they seem to be. Empty where all have one.
    std::vector<int> const& parts() const { return parts_; }

private:
    void clear();
    void make_room(std::size_t count);
    void close_gaps(std::vector<Vec3<>> const& positions, std::size_t axis, double width);

    std::vector<Vec3<>> from_, to_;
    std::vector<int> parts_;
};

}  // namespace trotter
