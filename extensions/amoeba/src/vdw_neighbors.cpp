// Makes the neighbor lists of AmoebaVdwForce from cells.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <trotter/amoeba/vdw/neighbor_list.hpp>

namespace trotter::amoeba {
namespace {

constexpr double skin_of_cutoff = 0.1;  // balances longer lists against fewer of them

constexpr int reach = 2;  // in cells

// The cells within reach along an axis, each once.
std::pair<int, int> around(int cell, int count) {
    return count <= 2 * reach ? std::pair(0, count) : std::pair(cell - reach, cell + reach + 1);
}
int wrapped(int cell, int count) { return cell < 0 ? cell + count : cell >= count ? cell - count : cell; }

}  // namespace

void NeighborList::update(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads) {
    if (!cutoff_ || is_valid(positions, box)) return;
    // Nearest images are certain up to half of the box.
    range_ = *cutoff_ + std::clamp(box.shortest_width() / 2 - *cutoff_, 0.0, skin_of_cutoff * *cutoff_);
    choose_cells(box, positions.size());
    fill_cells(positions, box);
    NearestImages const nearest(box);
    threads.for_ranges(
        positions.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) find(i, positions[i], nearest);
        },
        64);
    listed_ = positions;
    listed_box_ = box;
}

bool NeighborList::is_valid(std::vector<Vec3<>> const& positions, Box const& box) const {
    if (listed_.size() != positions.size() || !(listed_box_ == box)) return false;
    double const skin = range_ - *cutoff_, limit = skin * skin / 4;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec3<> const moved = positions[i] - listed_[i];
        if (!(dot(moved, moved) <= limit)) return false;
    }
    return true;
}

void NeighborList::choose_cells(Box const& box, std::size_t particles) {
    std::array const axes{Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}, Vec3<>{0, 0, 1}};
    int const most = 1 + static_cast<int>(std::cbrt(static_cast<double>(particles)));  // about one particle in each
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const width = 1 / norm(box.reciprocal(axes[axis]));  // between opposite faces
        double const cells = reach * width / range_ * (1 - 1e-9);  // rounding loses no pair
        count_[axis] = std::max(1, static_cast<int>(std::min<double>(cells, most)));
    }
}

void NeighborList::fill_cells(std::vector<Vec3<>> const& positions, Box const& box) {
    cells_.resize(positions.size());
    std::size_t const cells = cell_of({count_[0] - 1, count_[1] - 1, count_[2] - 1}) + 1;
    begins_.assign(cells + 1, 0);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec3<> const fractions = box.fractions(positions[i]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double const place = (fractions[axis] - std::floor(fractions[axis])) * count_[axis];
            // A nonfinite position goes to the first cell: it is within the cutoff of nothing.
            cells_[i][axis] = std::isfinite(place) ? std::clamp(static_cast<int>(place), 0, count_[axis] - 1) : 0;
        }
        ++begins_[cell_of(cells_[i]) + 1];
    }
    for (std::size_t cell = 0; cell < cells; ++cell) begins_[cell + 1] += begins_[cell];
    members_.resize(positions.size());
    auto next = begins_;
    for (std::size_t i = 0; i < positions.size(); ++i)
        members_[next[cell_of(cells_[i])]++] = {positions[i], static_cast<int>(i)};
}

void NeighborList::find(std::size_t i, Vec3<> const& place, NearestImages const& nearest) {
    auto& row = rows_[i];
    row.clear();
    is_listed_[i] = true;
    auto const& excluded = excluded_[i];
    std::size_t const most = most_ / excluded_.size();
    double const range2 = range_ * range_;
    auto consider = [&](Member const& other) {
        Vec3<> const d = nearest(place - other.place);
        if (dot(d, d) <= range2 && !std::ranges::binary_search(excluded, other.particle)) row.push_back(other.particle);
    };
    std::array<std::pair<int, int>, 3> range;
    for (std::size_t axis = 0; axis < 3; ++axis) range[axis] = around(cells_[i][axis], count_[axis]);
    for (int x = range[0].first; x < range[0].second; ++x)
        for (int y = range[1].first; y < range[1].second; ++y)
            for (int z = range[2].first; z < range[2].second; ++z) {
                std::size_t const cell =
                    cell_of({wrapped(x, count_[0]), wrapped(y, count_[1]), wrapped(z, count_[2])});
                for (std::size_t n = begins_[cell]; n < begins_[cell + 1] && row.size() <= most; ++n)
                    consider(members_[n]);
                if (row.size() > most) {
                    is_listed_[i] = false;
                    row = {};
                    return;
                }
            }
    std::ranges::sort(row);
}

}  // namespace trotter::amoeba
