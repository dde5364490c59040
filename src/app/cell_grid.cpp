// SPDX-License-Identifier: MIT
#include "app/cell_grid.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <trotter/error.hpp>
#include <utility>

namespace trotter::app {
namespace {

constexpr double farthest = 1e6;  // [nm]; beyond, a position loses the digits that distances need

void check_places(std::vector<Vec3<>> const& points) {
    for (std::size_t n = 0; n < points.size(); ++n)
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!(std::abs(points[n][axis]) <= farthest))
                throw InputError("position " + std::to_string(n) + ": component " + std::to_string(axis) + " is "
                                 + std::to_string(points[n][axis]) + " nm, expected a number from -1e6 to 1e6");
}

}  // namespace

CellGrid::CellGrid(std::vector<Vec3<>> points, double cutoff, std::optional<Box> const& box)
    : points_(std::move(points)), box_(box) {
    check_places(points_);
    cutoff = std::clamp(cutoff, 1e-6, 4 * farthest);
    Vec3<> size;
    if (box_) {
        size = {box_->a.x, box_->b.y, box_->c.z};
    } else if (!points_.empty()) {
        Vec3<> upper = origin_ = points_[0];
        for (auto const& point : points_)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                origin_[axis] = std::min(origin_[axis], point[axis]);
                upper[axis] = std::max(upper[axis], point[axis]);
            }
        size = upper - origin_;
    }
    std::array<double, 3> count;
    for (std::size_t axis = 0; axis < 3; ++axis) count[axis] = std::max(1., std::floor(size[axis] / cutoff));
    double const most = 64 + 4 * static_cast<double>(points_.size());
    while (count[0] * count[1] * count[2] > most) {
        auto& largest = *std::max_element(count.begin(), count.end());
        largest = std::ceil(largest / 2);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        count_[axis] = static_cast<int>(count[axis]);
        width_[axis] = (box_ ? size[axis] : std::max(size[axis], cutoff)) / count[axis];
    }

    std::vector<int> cells(points_.size());
    begin_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
    for (std::size_t n = 0; n < points_.size(); ++n) {
        auto cell = cell_at(wrapped(points_[n]));
        for (std::size_t axis = 0; axis < 3; ++axis) cell[axis] = std::clamp(cell[axis], 0, count_[axis] - 1);
        cells[n] = index_of(cell);
        ++begin_[static_cast<std::size_t>(cells[n]) + 1];
    }
    for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
    auto next = begin_;
    index_.resize(points_.size());
    for (std::size_t n = 0; n < points_.size(); ++n)
        index_[next[static_cast<std::size_t>(cells[n])]++] = static_cast<int>(n);
}

std::array<int, 3> CellGrid::cell_at(Vec3<> const& wrapped) const {
    std::array<int, 3> cell;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const place = std::floor(wrapped[axis] / width_[axis]);
        cell[axis] = place >= -2 ? static_cast<int>(std::min(place, count_[axis] + 1.)) : -2;  // also for NaN
    }
    return cell;
}

// The cells of 27 places, one cell width apart: across a side of a triclinic box the cells are shifted by any length,
// but three consecutive ones along each axis still hold everything within a cell width.
int CellGrid::cells_near(Vec3<> const& place, std::array<int, 27>& cells) const {
    int found = 0;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z) {
                auto cell = cell_at(wrapped(place + Vec3<>{x * width_.x, y * width_.y, z * width_.z}));
                bool is_outside = false;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    if (box_) cell[axis] = std::clamp(cell[axis], 0, count_[axis] - 1);
                    is_outside = is_outside || cell[axis] < 0 || cell[axis] >= count_[axis];
                }
                int const index = is_outside ? -1 : index_of(cell);
                auto const end = cells.begin() + found;
                if (!is_outside && std::find(cells.begin(), end, index) == end)
                    cells[static_cast<std::size_t>(found++)] = index;
            }
    return found;
}

}  // namespace trotter::app
