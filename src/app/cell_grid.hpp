// Finds the points near a place in constant time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <trotter/box.hpp>
#include <trotter/vec3.hpp>
#include <vector>

namespace trotter::app {

/// Points sorted into cells that are at least as wide as a cutoff. In a periodic box all images count. Memory is
/// proportional to the number of points, however far apart they are.
class CellGrid {
public:
    /// Throws InputError for a point that is not finite or farther than 1e6 nm from the origin.
    CellGrid(std::vector<Vec3<>> points, double cutoff, std::optional<Box> const& box);

    /// Calls `visit(index)` once for each point that may lie within the cutoff of `place`, and for some others, until
    /// it returns true; returns whether it did.
    template <class Visit> bool any_near(Vec3<> const& place, Visit&& visit) const {
        std::array<int, 27> cells;
        int const count = cells_near(place, cells);
        for (int n = 0; n < count; ++n) {
            auto const cell = static_cast<std::size_t>(cells[static_cast<std::size_t>(n)]);
            for (auto at = begin_[cell]; at < begin_[cell + 1]; ++at)
                if (visit(index_[at])) return true;
        }
        return false;
    }

    /// Calls `visit(index, distance)` for each point within a distance of at most `cutoff` of `place`, until it returns
    /// true; returns whether it did.
    template <class Visit> bool any_within(Vec3<> const& place, double cutoff, Visit&& visit) const {
        return any_near(place, [&](int index) {
            double const d = distance(place, index);
            return d <= cutoff && visit(index, d);
        });
    }

    /// From a place to a point, or to its image by Box::minimum_image [nm].
    double distance(Vec3<> const& place, int index) const {
        Vec3<> const d = place - points_[static_cast<std::size_t>(index)];
        return norm(box_ ? box_->minimum_image(d) : d);
    }

private:
    Vec3<> wrapped(Vec3<> const& place) const { return box_ ? place + box_->wrapping_shift(place) : place - origin_; }
    std::array<int, 3> cell_at(Vec3<> const& wrapped) const;
    int index_of(std::array<int, 3> const& cell) const { return (cell[0] * count_[1] + cell[1]) * count_[2] + cell[2]; }
    int cells_near(Vec3<> const& place, std::array<int, 27>& cells) const;

    std::vector<Vec3<>> points_;
    std::optional<Box> box_;
    Vec3<> origin_;                   // lower corner of the points, without a box
    std::array<int, 3> count_{};      // of cells along each axis
    Vec3<> width_;                    // of a cell
    std::vector<std::size_t> begin_;  // of each cell in index_, and the end
    std::vector<int> index_;          // of the points, by cell
};

}  // namespace trotter::app
