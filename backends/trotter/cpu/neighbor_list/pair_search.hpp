// Finds the pairs of clusters that are near each other.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/neighbor_list/cell_reach.hpp>
#include <trotter/cpu/neighbor_list/clusters.hpp>
#include <trotter/cpu/neighbor_list/exclusions.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/neighbor_list/pair_masks.hpp>
#include <trotter/vec3.hpp>

namespace trotter::cpu {

/// One task's groups with their j clusters.
template <class Arch> struct ClusterLists {
    std::vector<ClusterGroup> groups;
    std::vector<MaskedPair> masked;
    std::array<std::vector<std::int32_t>, 3> plain;  ///< by NearWhich
};

/// The search radius (infinite: all pairs), the cutoff, and the largest displacement while the list is in use.
template <class Arch> struct SearchRadii { double search, cutoff, displacement; };

/// Finds all pairs of slots i < j within a radius, for a range of i clusters.
template <class Arch, class Real> class PairSearch {
public:
    PairSearch(Clusters<Arch, Real> const& clusters, std::vector<Vec3<>> const& positions,
               Exclusions<Arch> const& exclusions, SearchRadii<Arch> const& radii, HalfBox<Arch> const& half_box)
        : clusters_(clusters),
          view_(clusters.view()),
          masks_(clusters, positions, exclusions, half_box),
          radius_(radii.search),
          radius2_(static_cast<float>(radius_ * radius_)),
          // Without periodic boundaries, particles farther than half the span must not interact by another image.
          reach_of_points_(clusters.half_of_span() - radii.cutoff
                           - (clusters.is_periodic ? 1 : 3) * radii.displacement),
          half_of_cell_(clusters.is_periodic ? clusters.half_of_span() : std::numeric_limits<double>::infinity()) {}

    void run(int begin, int end, ClusterLists<Arch>& result) {
        result.groups.clear();
        result.masked.clear();
        for (auto& list : result.plain) list.clear();
        bool const has_radius = std::isfinite(radius_);
        if (!has_radius)
            for (std::size_t kind : {std::size_t{near_first}, std::size_t{near_both}})
                for (int j = begin; j < clusters_.size(); ++j) result.plain[kind].push_back(j);
        auto column = std::upper_bound(clusters_.column_start.begin(), clusters_.column_start.end(), begin);
        for (int i = begin; i < end; i += count_) {
            while (*column <= i) ++column;
            count_ = i + 1 < std::min(end, *column) && clusters_.is_near_next(static_cast<std::size_t>(i)) ? 2 : 1;
            masks_.choose(i, count_);
            if (has_radius)
                search(i, result);
            else
                take_all(i, begin, result);
        }
        for (auto& list : result.plain) list.resize(list.size() + read_behind);
    }

private:
    /// Lists the clusters up to the last with an excluded partner one by one, and all later ones as part of one shared
    /// sequence: lists grow with the number of particles, not with its square.
    void take_all(int i, int begin, ClusterLists<Arch>& result) {
        int const count = clusters_.size(), last = masks_.last_excluded();
        auto near = start(i, {}, result);
        for (int j = i; j <= last; ++j) add(near, j, result);
        finish(near, result);
        if (last + 1 == count) return;
        auto far = start(i, {}, result);
        far.plain[count_ == 2 ? near_both : 0] = {last + 1 - begin, count - begin};
        result.groups.push_back(far);
    }

    template <class T> static int size(std::vector<T> const& list) { return static_cast<int>(list.size()); }

    void set_reach(int i) {
        auto const first = static_cast<std::size_t>(i), last = static_cast<std::size_t>(i + count_ - 1);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low_[axis] = std::min(clusters_.lower[axis][first], clusters_.lower[axis][last]);
            high_[axis] = std::max(clusters_.upper[axis][first], clusters_.upper[axis][last]);
        }
        reach_ = {clusters_.cell, low_ - clusters_.origin, high_ - clusters_.origin, radius_};
        if (!clusters_.is_periodic) reach_.stay_in_cell();
    }

    void search(int i, ClusterLists<Arch>& result) {
        if (!clusters_.is_anywhere(static_cast<std::size_t>(i))) return;
        set_reach(i);
        auto group = start(i, {}, result);
        base_ = view_.base_of(group.i);
        double const reach = reach_from_base();
        may_be_beyond_ = reach + radius_ + clusters_.largest_extent() > half_of_cell_;
        beyond_.clear();
        auto const &[in_a, in_b, in_c] = reach_;
        for (int c = in_c.first_image(); c <= in_c.last_image(); ++c)
            for (int b = in_b.first_image(); b <= in_b.last_image(); ++b)
                for (int a = in_a.first_image(); a <= in_a.last_image(); ++a) add_image(group, {a, b, c}, result);
        // A particle's minimum image is then the listed one, or does not interact: otherwise both would have been
        // found, and one would be in `beyond_`.
        group.i.uses_minimum_image = clusters_.has_points() && beyond_.empty() && reach < reach_of_points_;
        finish(group, result);
        add_beyond(i, result);
    }

    /// The largest distance of i particles from their base along any axis.
    double reach_from_base() const {
        Vec3<> const from = clusters_.position_of(base_);
        double result = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            result = std::max({result, high_[axis] - from[axis], from[axis] - low_[axis]});
        return result;
    }
    /// Selects the image `whole` of the j clusters, by shifting i the other way.
    void choose_image(std::array<int, 3> const& whole) {
        Box const& cell = clusters_.cell;
        whole_ = whole;
        shift_ = cell.a * -whole[0] + cell.b * -whole[1] + cell.c * -whole[2];
        moved_high_ = high_ + shift_;
        masks_.choose_image(whole, moved_high_);
    }
    void add_image(ClusterGroup const& group, std::array<int, 3> const& whole, ClusterLists<Arch>& result) {
        choose_image(whole);
        int const i = group.i.cluster;
        Vec3<> const low = low_ + shift_, high = moved_high_;
        auto columns = [&](auto const& range, int image, int n) {
            auto index = [&](double s) {
                return static_cast<int>(std::floor(std::clamp(s - image, 0.0, 0.9999999999) * n));
            };
            return std::pair{index(range.low), index(range.high)};
        };
        auto const [a_first, a_last] = columns(reach_.a, whole[0], clusters_.columns[0]);
        auto const [b_first, b_last] = columns(reach_.b, whole[1], clusters_.columns[1]);
        int const lowest = clusters_.levels.of(low.z - radius_), highest = clusters_.levels.of(high.z + radius_);
        ranges_.clear();
        std::size_t clusters = 0;
        for (int a = a_first; a <= a_last; ++a)
            for (int b = b_first; b <= b_last; ++b) {
                auto const column = static_cast<std::size_t>(clusters_.column(a, b));
                if (clusters_.column_start[column + 1] <= i) continue;
                auto range = clusters_.levels.range(column, lowest, highest);
                range.first = std::max(range.first, i);
                if (range.first >= range.last) continue;
                ranges_.push_back(range);
                clusters += static_cast<std::size_t>(range.last - range.first);
            }
        found_.resize(std::max(found_.size(), clusters + 16));
        float const from[3] = {static_cast<float>(low.x), static_cast<float>(low.y), static_cast<float>(low.z)};
        float const to[3] = {static_cast<float>(high.x), static_cast<float>(high.y), static_cast<float>(high.z)};
        int count = loops<Arch, Real>().find_near(clusters_.bounds(), ranges_.data(), static_cast<int>(ranges_.size()),
                                                  from, to, radius2_ * 1.00001f, found_.data());
        if (clusters_.has_parts()) count = keep_part(clusters_.part_of(static_cast<std::size_t>(i)), count);
        add_found(group, may_be_beyond_ ? set_aside(count) : count, result);
    }

    /// Keeps those of the first `count` found that are of this part; returns how many are left.
    int keep_part(int part, int count) {
        auto const end = std::remove_if(found_.begin(), found_.begin() + count, [&](std::int32_t j) {
            return clusters_.part_of(static_cast<std::size_t>(j)) != part;
        });
        return static_cast<int>(end - found_.begin());
    }

    /// A j cluster in an image that is not the one within half of each of the cell's vectors.
    struct Beyond {
        std::array<int, 3> image_shift, whole;
        std::int32_t cluster;
    };
    /// Moves these from the first `count` found to `beyond_`; returns how many are left.
    int set_aside(int count) {
        int left = 0;
        for (int n = 0; n < count; ++n) {
            std::int32_t const j = found_[static_cast<std::size_t>(n)];
            if (auto const image_shift = image_shift_to(j); image_shift == std::array<int, 3>{})
                found_[static_cast<std::size_t>(left++)] = j;
            else
                beyond_.push_back({image_shift, whole_, j});
        }
        return left;
    }
    /// The image shift from the i clusters to j if more than half of a vector is between them; else 0.
    std::array<int, 3> image_shift_to(int j) const {
        constexpr std::int64_t all = std::int64_t{1} << 32, half = all / 2, eighth = all / 8;
        std::array<int, 3> result{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::int64_t const away = std::int64_t{view_.reference_of(j)[axis]} - base_[axis] + whole_[axis] * all;
            if (away < -half || away >= half) result[axis] = static_cast<int>((away + eighth) >> 30);
        }
        return result;
    }
    void add_beyond(int i, ClusterLists<Arch>& result) {
        std::stable_sort(beyond_.begin(), beyond_.end(),
                         [](Beyond const& a, Beyond const& b) { return a.image_shift < b.image_shift; });
        for (auto entry = beyond_.begin(); entry != beyond_.end();) {
            auto const image_shift = entry->image_shift;
            auto group = start(i, image_shift, result);
            for (; entry != beyond_.end() && entry->image_shift == image_shift; ++entry) {
                choose_image(entry->whole);
                add(group, entry->cluster, result);
            }
            finish(group, result);
        }
    }

    ClusterGroup start(int i, std::array<int, 3> const& image_shift, ClusterLists<Arch> const& result) {
        for (auto& masked : masked_) masked.clear();
        ClusterGroup group{.i = {.cluster = i,
                                 .count = count_,
                                 .image_shift = {image_shift[0], image_shift[1], image_shift[2]},
                                 .uses_minimum_image = false,
                                 .masked = {}},
                           .plain = {}};
        for (std::size_t kind = 0; kind < 3; ++kind)
            group.plain[kind] = {size(result.plain[kind]), size(result.plain[kind])};
        return group;
    }
    /// Adds the first `count` found. Nearly all are plain and come after all i clusters.
    void add_found(ClusterGroup const& group, int count, ClusterLists<Arch>& result) {
        int const usual = group.i.count == 2 ? near_both : 0;
        auto& list = result.plain[static_cast<std::size_t>(usual)];
        std::uint64_t const filter = masks_.filter();
        std::size_t kept = list.size();
        list.resize(kept + static_cast<std::size_t>(count));
        for (int n = 0; n < count; ++n) {
            std::int32_t const j = found_[static_cast<std::size_t>(n)];
            bool const is_usual = j >= group.i.cluster + group.i.count && (filter >> (j & 63) & 1) == 0;
            int const kind = is_usual ? usual : kind_of(group, j);
            if (kind == usual)
                list[kept++] = j;
            else if (kind != none)
                result.plain[static_cast<std::size_t>(kind)].push_back(j);
        }
        list.resize(kept);
    }
    void add(ClusterGroup const& group, std::int32_t j, ClusterLists<Arch>& result) {
        if (int const kind = kind_of(group, j); kind != none) result.plain[static_cast<std::size_t>(kind)].push_back(j);
    }
    static constexpr int none = -1;
    /// Returns the plain list for a j cluster, and masks its other pairs, considering only i clusters not after it.
    int kind_of(ClusterGroup const& group, std::int32_t j) {
        bool is_plain[2];
        for (int s = 0; s < 2; ++s)
            is_plain[s] = s < count_ && j >= group.i.cluster + s && !add_masked(s, j);
        if (is_plain[0] && is_plain[1]) return near_both;
        return is_plain[0] ? 0 : is_plain[1] ? 1 : none;
    }
    /// Masks pairs with i cluster `s`; returns false if all interact.
    bool add_masked(int s, std::int32_t j) {
        auto const pair = masks_.masked(s, j);
        if (pair) masked_[s].push_back(*pair);
        return pair.has_value();
    }
    void finish(ClusterGroup& group, ClusterLists<Arch>& result) {
        for (int s = 0; s < 2; ++s) {
            group.i.masked[s].begin = size(result.masked);
            result.masked.insert(result.masked.end(), masked_[s].begin(), masked_[s].end());
            group.i.masked[s].end = size(result.masked);
        }
        bool is_empty = group.i.masked[0].begin == group.i.masked[1].end;
        for (std::size_t kind = 0; kind < 3; ++kind) {
            group.plain[kind].end = size(result.plain[kind]);
            is_empty = is_empty && group.plain[kind].begin == group.plain[kind].end;
        }
        if (!is_empty) result.groups.push_back(group);
    }

    Clusters<Arch, Real> const& clusters_;
    ClusterView<Real> view_;
    PairMasks<Arch, Real> masks_;
    double radius_;
    float radius2_;
    double reach_of_points_;  ///< points suffice for i particles no farther from their base
    double half_of_cell_;
    Steps base_{};                ///< of the present i clusters
    bool may_be_beyond_ = false;  ///< of the present i clusters: non-minimum images may interact
    Vec3<> low_, high_;
    std::array<int, 3> whole_{};  ///< the present image
    Vec3<> shift_, moved_high_;   ///< of i clusters, for this image
    CellReach<Arch> reach_{};     ///< of i clusters
    std::int32_t count_ = 1;             ///< of the present i clusters
    std::vector<MaskedPair> masked_[2];  ///< of each of them
    std::vector<ClusterRange> ranges_;
    std::vector<std::int32_t> found_;
    std::vector<Beyond> beyond_;
};

}  // namespace trotter::cpu
