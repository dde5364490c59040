// Points near a place, where points come and go.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <trotter/error.hpp>
#include <trotter/vec3.hpp>
#include <vector>

namespace trotter::app {

/// Points in cubic cells, without periodic images.
class MovingPoints {
public:
    explicit MovingPoints(double width) : width_(width) {}

    /// Throws InputError for a point that is not finite or farther than 1e6 nm from the origin.
    void add(int index, Vec3<> const& place) {
        if (!(std::abs(place.x) < 1e6 && std::abs(place.y) < 1e6 && std::abs(place.z) < 1e6))
            throw InputError("the position of atom " + std::to_string(index)
                             + " is not finite or too far away, expected coordinates below 1e6 nm");
        cells_[cell(place)].push_back({index, place});
    }
    void remove(int index, Vec3<> const& place) {
        std::erase_if(cells_[cell(place)], [&](Point const& point) { return point.index == index; });
    }

    /// Calls `visit(index, distance)` for each point closer than the width of the cells.
    template <class Visit> void visit_near(Vec3<> const& place, Visit&& visit) const {
        auto const [x, y, z] = cell(place);
        for (auto i = x - 1; i <= x + 1; ++i)
            for (auto j = y - 1; j <= y + 1; ++j)
                for (auto k = z - 1; k <= z + 1; ++k) {
                    auto const found = cells_.find({i, j, k});
                    if (found == cells_.end()) continue;
                    for (auto const& point : found->second)
                        if (double const d = norm(point.place - place); d < width_) visit(point.index, d);
                }
    }

private:
    struct Point {
        int index;
        Vec3<> place;
    };
    using Cell = std::array<std::int64_t, 3>;
    Cell cell(Vec3<> const& place) const {
        auto const along = [&](double x) { return static_cast<std::int64_t>(std::floor(x / width_)); };
        return {along(place.x), along(place.y), along(place.z)};
    }

    double width_;
    std::map<Cell, std::vector<Point>> cells_;
};

}  // namespace trotter::app
