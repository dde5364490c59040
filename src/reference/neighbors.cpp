// Cell list for the neighbor search.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <trotter/reference/neighbors.hpp>

namespace trotter::reference {

CellList::CellList(std::vector<Vec3<>> const& positions, Box const& box, double cutoff, bool is_periodic)
    : box_(box), periodic_(is_periodic) {
    auto const fractions = periodic_ ? in_box(positions, cutoff) : in_bounds(positions, cutoff);
    while (cell_count() > 4 * positions.size() + 27) halve_longest();
    members_.resize(cell_count());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec3<> const& s = fractions[i];
        Vec3<> const whole = periodic_ ? Vec3<>{std::floor(s.x), std::floor(s.y), std::floor(s.z)} : Vec3<>{};
        Cell const cell{index_of(s.x - whole.x, 0), index_of(s.y - whole.y, 1), index_of(s.z - whole.z, 2)};
        members_[number(cell)].push_back({i, positions[i] - box_.a * whole.x - box_.b * whole.y - box_.c * whole.z});
    }
    for (std::size_t axis = 0; axis < 3; ++axis) find_neighbors(axis);
}

std::vector<Vec3<>> CellList::in_box(std::vector<Vec3<>> const& positions, double cutoff) {
    std::array<Vec3<>, 3> const axes{box_.reciprocal({1, 0, 0}), box_.reciprocal({0, 1, 0}),
                                     box_.reciprocal({0, 0, 1})};
    for (std::size_t axis = 0; axis < 3; ++axis) set_count(axis, 1 / norm(axes[axis]), cutoff);
    std::vector<Vec3<>> fractions;
    for (auto const& position : positions) fractions.push_back(box_.fractions(position));
    return fractions;
}

std::vector<Vec3<>> CellList::in_bounds(std::vector<Vec3<>> const& positions, double cutoff) {
    double const infinity = std::numeric_limits<double>::infinity();
    Vec3<> low{infinity, infinity, infinity}, high = -low;
    for (auto const& position : positions)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], position[axis]);
            high[axis] = std::max(high[axis], position[axis]);
        }
    for (std::size_t axis = 0; axis < 3; ++axis) set_count(axis, high[axis] - low[axis], cutoff);
    std::vector<Vec3<>> fractions;
    for (auto const& position : positions) {
        auto& fraction = fractions.emplace_back(position - low);
        for (std::size_t axis = 0; axis < 3; ++axis) fraction[axis] /= std::max(high[axis] - low[axis], cutoff);
    }
    return fractions;
}

void CellList::find_neighbors(std::size_t axis) {
    int const n = count_[axis];
    images_known_ = images_known_ && n > 2 * reach;
    for (int cell = 0; cell < n; ++cell) {
        auto& found = neighbors_[axis].emplace_back();
        for (int offset = -reach; offset <= reach; ++offset) {
            int const wrapped = ((cell + offset) % n + n) % n, image = (cell + offset - wrapped) / n;
            bool const known =
                std::any_of(found.begin(), found.end(), [&](auto const& other) { return other.cell == wrapped; });
            if (!known && (periodic_ || image == 0)) found.push_back({wrapped, image});
        }
    }
}

}  // namespace trotter::reference
