// Bounds, in a cell's fractional coordinates, of the points within a radius of a box.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::cpu {

/// In fractions of the cell's vectors. `Arch` keeps symbols of different instruction sets apart.
template <class Arch> struct CellReach {
    struct Range {
        double low, high;
        int first_image() const { return static_cast<int>(std::floor(low)); }
        int last_image() const { return static_cast<int>(std::floor(high)); }
    };
    Range a, b, c;

    CellReach() = default;
    /// Around the box `from` … `to`, relative to the origin of the cell.
    CellReach(Box const& cell, Vec3<> const& from, Vec3<> const& to, double radius) {
        double const r = radius * (1 + 1e-9);
        auto minus = [](Range x, Range s, double slope) {  // x - slope s
            return slope > 0 ? Range{x.low - slope * s.high, x.high - slope * s.low}
                             : Range{x.low - slope * s.low, x.high - slope * s.high};
        };
        auto over = [](Range x, double length) { return Range{x.low / length - 1e-9, x.high / length + 1e-9}; };
        c = over({from.z - r, to.z + r}, cell.c.z);
        b = over(minus({from.y - r, to.y + r}, c, cell.c.y), cell.b.y);
        a = over(minus(minus({from.x - r, to.x + r}, b, cell.b.x), c, cell.c.x), cell.a.x);
    }
    /// Clips the ranges to the cell, for systems without periodic boundaries.
    void stay_in_cell() {
        for (Range* range : {&a, &b, &c}) *range = {std::max(range->low, 0.0), std::min(range->high, 0.999999)};
    }
};

}  // namespace trotter::cpu
