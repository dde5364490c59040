// Maps positions for neighbor searches: brings distant particles near.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>

#include <trotter/common/forces/near_positions.hpp>

namespace trotter {

void NearPositions::clear() {
    from_.clear();
    to_.clear();
    parts_.clear();
}

void NearPositions::make_room(std::size_t count) {
    from_.resize(count);
    to_.resize(count);
}

void NearPositions::close_gaps(std::vector<Vec3<>> const& positions, double width) {
    clear();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double low = positions[0][axis], high = low;
        for (auto const& position : positions) {
            low = std::min(low, position[axis]);
            high = std::max(high, position[axis]);
        }
        if (!(high - low <= std::max(roomy, width))) close_gaps(positions, axis, width);
    }
}

void NearPositions::close_gaps(std::vector<Vec3<>> const& positions, std::size_t axis, double width) {
    make_room(positions.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (std::isfinite(positions[i][axis])) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t j) { return positions[i][axis] < positions[j][axis]; });
    double from = 0, to = 0, last = 0;
    for (std::size_t n = 0; n < order.size(); ++n) {
        double const x = positions[order[n]][axis];
        if (n == 0 || x - last > width) {
            to = n == 0 ? 0 : last - from + to + width;
            from = x;
        }
        from_[order[n]][axis] = from;
        to_[order[n]][axis] = to;
        last = x;
    }
}

void NearPositions::fold(std::vector<Vec3<>> const& positions, Box const& box) {
    clear();
    constexpr double far = 1e9;  // box vectors
    Vec3<> const limit{far * box.a.x, far * box.b.y, far * box.c.z};
    auto const is_large = [&](Vec3<> const& x, std::size_t axis) {
        return std::abs(x[axis]) > limit[axis] && std::isfinite(x[axis]);
    };
    std::map<std::array<double, 3>, int> part_of;  // by the vector subtracted
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec3<> const& x = positions[i];
        if (!is_large(x, 0) && !is_large(x, 1) && !is_large(x, 2)) continue;
        Vec3<> const s = box.fractions(x),
                     place = box.fractions(x - box.a * std::floor(s.x) - box.b * std::floor(s.y) - box.c * std::floor(s.z));
        auto const is_in_box = [&](std::size_t axis) { return std::abs(place[axis] - 0.5) <= 1; };
        if (is_in_box(0) && is_in_box(1) && is_in_box(2)) continue;
        std::array<double, 3> lost{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (is_large(x, axis) && !(box.is_rectangular() && is_in_box(axis))) lost[axis] = x[axis];
        make_room(positions.size());
        parts_.resize(positions.size());
        parts_[i] = part_of.try_emplace(lost, static_cast<int>(part_of.size()) + 1).first->second;
        from_[i] = {lost[0], lost[1], lost[2]};
    }
}

}  // namespace trotter
