// All pairs of particles within a distance.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::reference {

/// Which pairs of particles see each other.
struct PairRange {
    std::optional<double> cutoff;  ///< none: all pairs
    bool is_periodic = false;      ///< differences are those of nearest images
};

/// Particles sorted into cells that are at least a cutoff wide, so that partners stand in neighbouring cells.
class CellList {
public:
    CellList(std::vector<Vec3<>> const& positions, Box const& box, double cutoff, bool is_periodic)
        : periodic_(is_periodic) {
        auto const points = periodic_ ? in_box(positions, box, cutoff) : in_bounds(positions, cutoff);
        while (cells() > 4 * positions.size() + 27) halve_longest();
        members_.resize(cells());
        for (std::size_t i = 0; i < points.size(); ++i)
            members_[index({cell(points[i].x, 0), cell(points[i].y, 1), cell(points[i].z, 2)})].push_back(i);
    }

    /// Calls `visit(i, j)` once for each pair that may be within the cutoff.
    template <class Visit> void for_each_candidate(Visit const& visit) const {
        for (int x = 0; x < count_[0]; ++x)
            for (int y = 0; y < count_[1]; ++y)
                for (int z = 0; z < count_[2]; ++z) visit_cell({x, y, z}, visit);
    }

private:
    using Cell = std::array<int, 3>;

    // Points as fractions of the box; its widths across the faces are the inverse lengths of the reciprocal vectors.
    std::vector<Vec3<>> in_box(std::vector<Vec3<>> const& positions, Box const& box, double cutoff) {
        std::array<Vec3<>, 3> const axes{box.reciprocal({1, 0, 0}), box.reciprocal({0, 1, 0}),
                                         box.reciprocal({0, 0, 1})};
        for (std::size_t axis = 0; axis < 3; ++axis) set_count(axis, 1 / norm(axes[axis]) / cutoff);
        std::vector<Vec3<>> points;
        for (auto const& position : positions) {
            Vec3<> const s = box.fractions(position);
            points.push_back({s.x - std::floor(s.x), s.y - std::floor(s.y), s.z - std::floor(s.z)});
        }
        return points;
    }
    std::vector<Vec3<>> in_bounds(std::vector<Vec3<>> const& positions, double cutoff) {
        double const infinity = std::numeric_limits<double>::infinity();
        Vec3<> low{infinity, infinity, infinity}, high = -low;
        for (auto const& position : positions)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], position[axis]);
                high[axis] = std::max(high[axis], position[axis]);
            }
        for (std::size_t axis = 0; axis < 3; ++axis) set_count(axis, (high[axis] - low[axis]) / cutoff);
        std::vector<Vec3<>> points;
        for (auto const& position : positions) {
            auto& point = points.emplace_back(position - low);
            for (std::size_t axis = 0; axis < 3; ++axis) point[axis] /= std::max(high[axis] - low[axis], cutoff);
        }
        return points;
    }
    // Slightly wider than the cutoff, so that rounding cannot part a pair at the cutoff.
    void set_count(std::size_t axis, double widths) {
        count_[axis] = static_cast<int>(std::clamp(widths * (1 - 1e-9), 1.0, 1000.0));
    }
    void halve_longest() {
        int& longest = *std::max_element(count_.begin(), count_.end());
        longest = (longest + 1) / 2;
    }

    std::size_t cells() const {
        return static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1])
               * static_cast<std::size_t>(count_[2]);
    }
    std::size_t index(Cell const& c) const {
        return (static_cast<std::size_t>(c[0]) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(c[1]))
                   * static_cast<std::size_t>(count_[2])
               + static_cast<std::size_t>(c[2]);
    }
    // A position that is not a number goes to the first cell: it is within the cutoff of nothing.
    int cell(double fraction, std::size_t axis) const {
        return std::isfinite(fraction) ? std::clamp(static_cast<int>(fraction * count_[axis]), 0, count_[axis] - 1) : 0;
    }

    // The distinct neighbours of a cell along an axis, itself included.
    std::vector<int> neighbors(int c, std::size_t axis) const {
        std::vector<int> result;
        int const n = count_[axis];
        for (int other : {c - 1, c, c + 1}) {
            if (periodic_) other = (other + n) % n;
            if (other >= 0 && other < n && std::find(result.begin(), result.end(), other) == result.end())
                result.push_back(other);
        }
        return result;
    }
    template <class Visit> void visit_cell(Cell const& c, Visit const& visit) const {
        auto const& mine = members_[index(c)];
        for (int x : neighbors(c[0], 0))
            for (int y : neighbors(c[1], 1))
                for (int z : neighbors(c[2], 2)) {
                    if (index({x, y, z}) < index(c)) continue;
                    auto const& others = members_[index({x, y, z})];
                    for (std::size_t n = 0; n < mine.size(); ++n)
                        for (std::size_t m = &others == &mine ? n + 1 : 0; m < others.size(); ++m)
                            visit(mine[n], others[m]);
                }
    }

    bool periodic_;
    Cell count_{1, 1, 1};
    std::vector<std::vector<std::size_t>> members_;
};

/// Calls `visit(i, j, d, r2)` once for each pair in range, d = x_i - x_j and r2 = d². A pair at the cutoff is in.
template <class Visit>
void for_each_pair(PairRange const& range, std::vector<Vec3<>> const& positions, Box const& box, Visit const& visit) {
    double const cutoff2 = range.cutoff ? *range.cutoff * *range.cutoff : std::numeric_limits<double>::infinity();
    auto consider = [&](std::size_t i, std::size_t j) {
        Vec3<> d = positions[i] - positions[j];
        if (range.is_periodic) d = box.minimum_image(d);
        if (double const r2 = dot(d, d); r2 <= cutoff2) visit(i, j, d, r2);
    };
    if (range.cutoff) return CellList(positions, box, *range.cutoff, range.is_periodic).for_each_candidate(consider);
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t j = i + 1; j < positions.size(); ++j) consider(i, j);
}

}  // namespace trotter::reference
