// Compresses grid points as groups: a full point, then a run of small differences.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "xtc_coding.hpp"

namespace trotter::detail {
namespace {

using Offset = std::array<std::int64_t, 3>;

Offset difference(GridPoint const& a, GridPoint const& b) {
    return {std::int64_t{a[0]} - b[0], std::int64_t{a[1]} - b[1], std::int64_t{a[2]} - b[2]};
}

bool within(GridPoint const& a, GridPoint const& b, std::int64_t radius) {
    auto const d = difference(a, b);
    return std::abs(d[0]) < radius && std::abs(d[1]) < radius && std::abs(d[2]) < radius;
}

std::int64_t half_range(int r) { return xtc_range[static_cast<std::size_t>(std::max(r, first_range))] / 2; }

Triple cube(int r) {
    auto const side = xtc_range[static_cast<std::size_t>(r)];
    return {side, side, side};
}

/// Returns the smallest range that contains the closest pair of consecutive points.
int starting_range(std::vector<GridPoint> const& points) {
    std::int64_t closest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 1; i < points.size(); ++i) {
        auto const d = difference(points[i], points[i - 1]);
        closest = std::min(closest, std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]));
    }
    int range = first_range;
    while (range < last_range && xtc_range[static_cast<std::size_t>(range)] < closest) ++range;
    return range;
}

void put_point(BitWriter& out, XtcBox const& box, GridPoint const& point) {
    Triple digits;
    for (std::size_t axis = 0; axis < 3; ++axis) digits[axis] = static_cast<std::uint32_t>(std::int64_t{point[axis]} - box.low[axis]);
    if (box.together()) return out.put(box.bits(), box.sizes, digits);
    for (std::size_t axis = 0; axis < 3; ++axis) out.put(static_cast<unsigned>(std::bit_width(box.sizes[axis])), digits[axis]);
}

/// State of the compression along the points.
class Packer {
public:
    Packer(std::vector<GridPoint> points, XtcPacked& packed)
        : points_(std::move(points)), box_(packed.box), range_(packed.range),
          highest_(std::min(range_ + range_swing, last_range)), lowest_(highest_ - range_swing) {}

    std::string pack() {
        while (next_ < points_.size()) pack_group();
        return out_.finish();
    }

private:
    /// Change of the range: 1 if the largest allowed range contains the step to this point, else -1 if possible.
    int wanted_change() const {
        if (range_ < highest_ && next_ > 0 && within(points_[next_], last_, half_range(highest_))) return 1;
        return range_ > lowest_ ? -1 : 0;
    }

    bool next_is_close() const { return next_ < points_.size() && within(points_[next_], last_, half_range(range_)); }

    void pack_group() {
        int change = wanted_change();
        // Water stores O, H, H: writing the second of a close pair first makes both other atoms small steps. The reader
        // swaps them back.
        if (next_ + 1 < points_.size() && within(points_[next_], points_[next_ + 1], half_range(range_)))
            std::swap(points_[next_], points_[next_ + 1]);
        put_point(out_, box_, points_[next_]);
        last_ = points_[next_++];
        if (!next_is_close() && change < 0) change = 0;
        collect_run(change);
        put_run(change);
        range_ += change;
    }

    void collect_run(int& change) {
        run_.clear();
        auto const radius = half_range(range_), smaller = half_range(range_ - 1);
        while (run_.size() < longest_run && next_is_close()) {
            auto const d = difference(points_[next_], last_);
            if (change < 0 && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= smaller * smaller) change = 0;
            run_.push_back({static_cast<std::uint32_t>(d[0] + radius), static_cast<std::uint32_t>(d[1] + radius),
                            static_cast<std::uint32_t>(d[2] + radius)});
            last_ = points_[next_++];
        }
    }

    void put_run(int change) {
        bool const news = run_.size() != last_run_ || change != 0;
        out_.put(1, news);
        if (news) out_.put(5, static_cast<std::uint32_t>(3 * static_cast<int>(run_.size()) + change + 1));
        last_run_ = run_.size();
        for (auto const& digits : run_) out_.put(static_cast<unsigned>(range_), cube(range_), digits);
    }

    std::vector<GridPoint> points_;
    XtcBox const& box_;
    int range_, highest_, lowest_;
    std::size_t next_ = 0, last_run_ = 0;
    GridPoint last_{};
    std::vector<Triple> run_;
    BitWriter out_;
};

}  // namespace

XtcPacked pack(std::vector<GridPoint> points) {
    XtcPacked packed{{points.front(), {}}, points.front(), starting_range(points), {}};
    for (auto const& point : points)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            packed.box.low[axis] = std::min(packed.box.low[axis], point[axis]);
            packed.high[axis] = std::max(packed.high[axis], point[axis]);
        }
    for (std::size_t axis = 0; axis < 3; ++axis)
        packed.box.sizes[axis] = static_cast<std::uint32_t>(std::int64_t{packed.high[axis]} - packed.box.low[axis] + 1);
    packed.bits = Packer{std::move(points), packed}.pack();
    return packed;
}

std::vector<GridPoint> unpack(XtcPacked const& packed, std::size_t count) {
    auto const& box = packed.box;
    BitReader in{packed.bits};
    auto const get_point = [&] {
        if (box.together()) return in.get(box.bits(), box.sizes);
        Triple digits;
        for (std::size_t axis = 0; axis < 3; ++axis) digits[axis] = in.get(static_cast<unsigned>(std::bit_width(box.sizes[axis])));
        return digits;
    };
    auto const moved = [](GridPoint const& from, Triple const& digits, std::int64_t shift) {
        GridPoint point;
        for (std::size_t axis = 0; axis < 3; ++axis) point[axis] = static_cast<std::int32_t>(from[axis] + std::int64_t{digits[axis]} - shift);
        return point;
    };

    std::vector<GridPoint> points;
    int range = packed.range, run = 0;
    while (points.size() < count && !in.overrun()) {
        auto last = moved(box.low, get_point(), 0);
        int change = 0;
        if (in.get(1)) {
            auto const news = static_cast<int>(in.get(5));
            run = news / 3;
            change = news % 3 - 1;
        }
        points.push_back(last);
        for (int k = 0; k < run; ++k) {
            last = moved(last, in.get(static_cast<unsigned>(range), cube(range)), half_range(range));
            points.push_back(last);
            if (k == 0) std::swap(points.back(), points[points.size() - 2]);
        }
        range += change;
        if (range < first_range || range > last_range) return {};
    }
    if (in.overrun() || points.size() != count) return {};
    return points;
}

}  // namespace trotter::detail
