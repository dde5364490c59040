// Neighbor search: all pairs of particles within a cutoff.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/parts/least_distance.hpp>
#include <trotter/vec3.hpp>

namespace trotter::reference {

/// Range of a pair interaction.
struct PairRange {
    std::optional<double> cutoff;  ///< none: all pairs
    bool is_periodic = false;      ///< minimum images
};

/// Cell list with cells about half a cutoff wide, so that neighbors are at most two cells away.
class CellList {
public:
    CellList(std::vector<Vec3<>> const& positions, Box const& box, double cutoff, bool is_periodic);

    /// Calls `visit(i, j, x_i - x_j)` once for each pair that may be within the cutoff, with the minimum image.
    template <class Visit> void for_each_candidate(Visit const& visit) const {
        for (int x = 0; x < count_[0]; ++x)
            for (int y = 0; y < count_[1]; ++y)
                for (int z = 0; z < count_[2]; ++z) visit_cell({x, y, z}, visit);
    }

private:
    static constexpr int reach = 2;
    using Cell = std::array<int, 3>;
    struct Member {
        std::size_t particle;
        Vec3<> place;
    };
    // Neighbor cell along an axis, with its image shift in box vectors.
    struct Neighbor {
        int cell, image;
    };

    // The perpendicular widths of a box are the inverse lengths of the reciprocal vectors.
    std::vector<Vec3<>> in_box(std::vector<Vec3<>> const& positions, double cutoff);
    std::vector<Vec3<>> in_bounds(std::vector<Vec3<>> const& positions, double cutoff);
    // Cells are slightly wider than needed, so that rounding cannot lose a pair at the cutoff.
    void set_count(std::size_t axis, double width, double cutoff) {
        double const cells = reach * width / cutoff * (1 - 1e-9);
        count_[axis] = cells > 1 ? static_cast<int>(std::min(cells, 1000.0)) : 1;
    }
    void halve_longest() {
        int& longest = *std::max_element(count_.begin(), count_.end());
        longest = (longest + 1) / 2;
    }

    std::size_t cell_count() const { return number({count_[0], 0, 0}); }
    std::size_t number(Cell const& c) const {
        return (static_cast<std::size_t>(c[0]) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(c[1]))
                   * static_cast<std::size_t>(count_[2])
               + static_cast<std::size_t>(c[2]);
    }
    // A nonfinite position goes to the first cell: it is within the cutoff of nothing.
    int index_of(double fraction, std::size_t axis) const {
        return std::isfinite(fraction) ? std::clamp(static_cast<int>(fraction * count_[axis]), 0, count_[axis] - 1) : 0;
    }

    // The distinct neighbors of each cell along an axis, itself included.
    void find_neighbors(std::size_t axis);
    std::vector<Neighbor> const& neighbors(int cell, std::size_t axis) const {
        return neighbors_[axis][static_cast<std::size_t>(cell)];
    }

    template <class Visit> void visit_cell(Cell const& cell, Visit const& visit) const {
        for (auto const& x : neighbors(cell[0], 0))
            for (auto const& y : neighbors(cell[1], 1))
                for (auto const& z : neighbors(cell[2], 2)) {
                    auto const mine = number(cell), other = number({x.cell, y.cell, z.cell});
                    if (other < mine) continue;
                    Vec3<> const shift = periodic_ ? box_.a * x.image + box_.b * y.image + box_.c * z.image : Vec3<>{};
                    visit_cells(members_[mine], members_[other], shift, visit);
                }
    }
    template <class Visit> void visit_cells(std::vector<Member> const& mine, std::vector<Member> const& others,
                                            Vec3<> const& shift, Visit const& visit) const {
        bool const search_image = periodic_ && !images_known_;
        for (std::size_t n = 0; n < mine.size(); ++n)
            for (std::size_t m = &others == &mine ? n + 1 : 0; m < others.size(); ++m) {
                Vec3<> const d = mine[n].place - others[m].place - shift;
                visit(mine[n].particle, others[m].particle, search_image ? box_.minimum_image(d) : d);
            }
    }

    Box box_;
    bool periodic_;
    bool images_known_ = true;  // in boxes of a few cells neighbors have several images
    Cell count_{1, 1, 1};
    std::vector<std::vector<Member>> members_;
    std::array<std::vector<std::vector<Neighbor>>, 3> neighbors_;
};

/// Calls `visit(i, j, d, r2)` once for each pair in range, with d = x_i - x_j and r2 = d² + `least_square`. A pair at
/// the cutoff is included. Without cutoff, pairs beyond 10^154 nm, where r2 overflows, are omitted: decaying
/// interactions are 0 there.
template <class Visit>
void for_each_pair(PairRange const& range, std::vector<Vec3<>> const& positions, Box const& box, Visit const& visit) {
    if (range.cutoff) {
        double const cutoff2 = *range.cutoff * *range.cutoff;
        auto consider = [&](std::size_t i, std::size_t j, Vec3<> const& d) {
            if (double const r2 = dot(d, d); r2 <= cutoff2) visit(i, j, d, r2 + least_square<double>());
        };
        return CellList(positions, box, *range.cutoff, range.is_periodic).for_each_candidate(consider);
    }
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t j = i + 1; j < positions.size(); ++j) {
            Vec3<> const d = positions[i] - positions[j];
            double const r2 = dot(d, d) + least_square<double>();
            if (!std::isinf(r2)) visit(i, j, d, r2);
        }
}

}  // namespace trotter::reference
