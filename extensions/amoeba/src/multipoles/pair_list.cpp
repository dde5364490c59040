// Builds the lists of pairs within a cutoff.
// SPDX-License-Identifier: MIT
#include "pair_list.hpp"

#include <algorithm>
#include <cmath>

#include "direct_space.hpp"

namespace trotter::amoeba {
namespace {

/// Cells are about half a cutoff wide: neighbours are at most `reach` cells away.
constexpr int reach = 2;

/// The different cells up to `reach` away along an axis.
struct NearCells {
    NearCells(int cell, int cells) {
        count = std::min(2 * reach + 1, cells);
        for (int n = 0; n < count; ++n) at[static_cast<std::size_t>(n)] = (cell + n - reach + 2 * cells) % cells;
        if (cells <= 2 * reach + 1)
            for (int n = 0; n < count; ++n) at[static_cast<std::size_t>(n)] = n;
    }
    int const* begin() const { return at.data(); }
    int const* end() const { return at.data() + count; }
    int count;
    std::array<int, 2 * reach + 1> at{};
};

}  // namespace

// A nonfinite position goes to the first cell: it is within the cutoff of nothing.
std::array<int, 3> PairList::cell_of(Vec3<> const& position, Box const& box) const {
    Vec3<> const s = box.fractions(position);
    std::array<int, 3> result{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const place = (s[axis] - std::floor(s[axis])) * cells_[axis];
        result[axis] = std::isfinite(place) ? std::clamp(static_cast<int>(place), 0, cells_[axis] - 1) : 0;
    }
    return result;
}

std::size_t PairList::number_of(std::array<int, 3> const& cell) const {
    return (static_cast<std::size_t>(cell[0]) * static_cast<std::size_t>(cells_[1]) + static_cast<std::size_t>(cell[1]))
               * static_cast<std::size_t>(cells_[2])
           + static_cast<std::size_t>(cell[2]);
}

// The widths of a box across its faces are the inverse lengths of the reciprocal vectors. Cells are slightly wider than
// needed, so that rounding cannot lose a pair at the cutoff, and not many more than sites.
void PairList::sort_into_cells(Box const& box, double cutoff) {
    auto const& positions = *positions_;
    std::array<Vec3<>, 3> const units{Vec3<>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double const most = std::max(1.0, std::cbrt(static_cast<double>(positions.size()))) + reach;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const width = 1 / norm(box.reciprocal(units[axis]));
        cells_[axis] = static_cast<int>(std::clamp(reach * width / cutoff * (1 - 1e-9), 1.0, most));
    }
    std::vector<std::size_t> cells(positions.size());
    first_of_cell_.assign(number_of({cells_[0], 0, 0}) + 1, 0);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        cells[i] = number_of(cell_of(positions[i], box));
        ++first_of_cell_[cells[i] + 1];
    }
    for (std::size_t n = 1; n < first_of_cell_.size(); ++n) first_of_cell_[n] += first_of_cell_[n - 1];
    sorted_.resize(positions.size());
    wrapped_.resize(positions.size());
    auto next = first_of_cell_;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        std::size_t const place = next[cells[i]]++;
        sorted_[place] = static_cast<int>(i);
        wrapped_[place] = positions[i] + box.wrapping_shift(positions[i]);
    }
}

template <class Visit> void PairList::for_each_near(std::size_t i, Box const& box, Visit const& visit) const {
    auto const& positions = *positions_;
    auto const own = cell_of(positions[i], box);
    Vec3<> const place = positions[i] + box.wrapping_shift(positions[i]);
    auto is_nearest = [&box](Vec3<> const& r) {  // without the division and rounding of an image
        return 2 * std::abs(r.x) < box.a.x && 2 * std::abs(r.y) < box.b.y && 2 * std::abs(r.z) < box.c.z;
    };
    for (int const x : NearCells(own[0], cells_[0]))
        for (int const y : NearCells(own[1], cells_[1]))
            for (int const z : NearCells(own[2], cells_[2])) {
                auto const cell = number_of({x, y, z});
                for (std::size_t n = first_of_cell_[cell]; n < first_of_cell_[cell + 1]; ++n) {
                    Vec3<> const r = place - wrapped_[n];
                    if (auto const j = static_cast<std::size_t>(sorted_[n]); j != i)
                        visit(j, is_nearest(r) ? r : box.minimum_image(r));
                }
            }
}

void PairList::build(std::vector<Vec3<>> const& positions, Box const& box, std::optional<double> cutoff,
                     Threads& threads) {
    positions_ = &positions;
    is_listed_ = cutoff.has_value();
    if (!is_listed_) return;
    sort_into_cells(box, *cutoff);
    std::size_t const count = positions.size();
    std::vector<std::vector<SeenPair>> of_task((count + grain - 1) / grain);
    first_.assign(count + 1, 0);
    threads.for_ranges(
        count,
        [&](std::size_t begin, std::size_t end) {
            auto& found = of_task[begin / grain];
            for (std::size_t i = begin; i < end; ++i) {
                std::size_t const before = found.size();
                for_each_near(i, box, [&](std::size_t j, Vec3<> const& r) {
                    if (dot(r, r) <= *cutoff * *cutoff) found.push_back({r, static_cast<int>(j), scales_.find(i, j)});
                });
                first_[i + 1] = found.size() - before;
            }
        },
        grain);
    for (std::size_t i = 0; i < count; ++i) first_[i + 1] += first_[i];
    pairs_.resize(first_.back());
    threads.for_ranges(
        count,
        [&](std::size_t begin, std::size_t) {
            auto const& found = of_task[begin / grain];
            std::copy(found.begin(), found.end(), pairs_.begin() + static_cast<std::ptrdiff_t>(first_[begin]));
        },
        grain);
}

}  // namespace trotter::amoeba
