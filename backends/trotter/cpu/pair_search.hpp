// Finds the pairs of clusters that are near each other.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <trotter/cpu/clusters.hpp>
#include <trotter/cpu/exclusions.hpp>
#include <trotter/cpu/loops.hpp>

namespace trotter::cpu {

/// Groups of one task, with j clusters.
template <class Arch> struct ClusterLists {
    std::vector<ClusterGroup> groups;
    std::vector<MaskedPair> masked;
    std::array<std::vector<std::int32_t>, 3> plain;  ///< by NearWhich
};

/// Where the cutoff is half the box, the two images of a pair at that distance are at the cutoff both. The one whose
/// difference is not below half the box does not count; pairs that may come to be there go to the masked ones.
template <class Arch> struct HalfBox {
    Vec3<> half;        ///< infinite along axes where it does not matter
    double margin = 0;  ///< how much nearer to each other particles may come while the list is in use

    HalfBox(Box const* box, double cutoff, double reach) : margin(reach) {
        constexpr double never = std::numeric_limits<double>::infinity();
        half = {never, never, never};
        if (!box) return;
        auto choose = [&](Vec3<> const& v, std::size_t axis) {
            if (norm(v) <= 2.00001 * cutoff) half[axis] = v[axis] / 2;
        };
        choose(box->a, 0), choose(box->b, 1), choose(box->c, 2);
    }
    bool matters() const { return std::min({half.x, half.y, half.z}) < std::numeric_limits<double>::infinity(); }
};

/// How far pairs are looked for (infinitely: all there are), how far apart those are that interact, and how far
/// particles may move while the list is in use.
template <class Arch> struct SearchRadii { double search, cutoff, displacement; };

/// Looks for all pairs of places i < j within a radius, for a range of i clusters.
template <class Arch, class Real> class PairSearch {
public:
    PairSearch(Clusters<Arch, Real> const& clusters, std::vector<Vec3<>> const& positions,
               Exclusions<Arch> const& exclusions, SearchRadii<Arch> const& radii, HalfBox<Arch> const& half_box)
        : clusters_(clusters),
          view_(clusters.view()),
          positions_(positions),
          exclusions_(exclusions),
          half_box_(half_box),
          radius_(radii.search),
          radius2_(static_cast<float>(radius_ * radius_)),
          // Where nothing is periodic, what is farther than half of the span must not come near by another image.
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
            for (int s = 0; s < count_; ++s) find_excluded(i, s);
            if (has_radius)
                search(i, result);
            else
                take_all(i, begin, result);
        }
        for (auto& list : result.plain) list.resize(list.size() + read_behind);
    }

private:
    /// The clusters from an i cluster to the last that has an excluded partner one by one, and all behind it as a part
    /// of one sequence: lists grow with the number of particles, not with its square.
    void take_all(int i, int begin, ClusterLists<Arch>& result) {
        int const count = clusters_.size();
        int last = i + count_ - 1;
        for (int s = 0; s < count_; ++s)
            for (auto const& entry : excluded_[s]) last = std::max(last, entry.cluster);
        auto near = start(i, {}, result);
        for (int j = i; j <= last; ++j) add(near, j, result);
        finish(near, result);
        if (last + 1 == count) return;
        auto far = start(i, {}, result);
        far.plain[count_ == 2 ? near_both : 0] = {last + 1 - begin, count - begin};
        result.groups.push_back(far);
    }

    struct Excluded {
        std::int32_t cluster;
        std::uint32_t bit;
        int place_i, place_j;
    };
    template <class T> static int size(std::vector<T> const& list) { return static_cast<int>(list.size()); }
    struct Range {
        double low, high;
        int first_image() const { return static_cast<int>(std::floor(low)); }
        int last_image() const { return static_cast<int>(std::floor(high)); }
    };

    /// The fractions of the cell that a sphere of `radius_` around the i clusters reaches.
    void set_reach(int i) {
        Vec3<> low, high;
        auto const first = static_cast<std::size_t>(i), last = static_cast<std::size_t>(i + count_ - 1);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(clusters_.lower[axis][first], clusters_.lower[axis][last]);
            high[axis] = std::max(clusters_.upper[axis][first], clusters_.upper[axis][last]);
        }
        low_ = low;
        high_ = high;
        Box const& cell = clusters_.cell;
        Vec3<> const from = low - clusters_.origin, to = high - clusters_.origin;
        double const r = radius_ * (1 + 1e-9);
        auto minus = [](Range x, Range s, double slope) {  // x - slope s
            return slope > 0 ? Range{x.low - slope * s.high, x.high - slope * s.low}
                             : Range{x.low - slope * s.low, x.high - slope * s.high};
        };
        auto over = [](Range x, double length) { return Range{x.low / length - 1e-9, x.high / length + 1e-9}; };
        c_ = over({from.z - r, to.z + r}, cell.c.z);
        b_ = over(minus({from.y - r, to.y + r}, c_, cell.c.y), cell.b.y);
        a_ = over(minus(minus({from.x - r, to.x + r}, b_, cell.b.x), c_, cell.c.x), cell.a.x);
        if (!clusters_.is_periodic)
            for (Range* range : {&a_, &b_, &c_}) *range = {std::max(range->low, 0.0), std::min(range->high, 0.999999)};
    }

    void search(int i, ClusterLists<Arch>& result) {
        if (!clusters_.is_anywhere(static_cast<std::size_t>(i))) return;
        set_reach(i);
        auto group = start(i, {}, result);
        base_ = view_.base_of(group.i);
        double const reach = reach_from_base();
        may_be_beyond_ = reach + radius_ + clusters_.largest_extent() > half_of_cell_;
        beyond_.clear();
        for (int c = c_.first_image(); c <= c_.last_image(); ++c)
            for (int b = b_.first_image(); b <= b_.last_image(); ++b)
                for (int a = a_.first_image(); a <= a_.last_image(); ++a) add_image(group, {a, b, c}, result);
        // The nearest image of a particle is then the one that is meant, or it does not interact: if it did, it would
        // have been found too, and be beyond.
        group.i.by_points = clusters_.has_points() && beyond_.empty() && reach < reach_of_points_;
        finish(group, result);
        add_beyond(i, result);
    }

    /// How far i particles are along any axis from what their coordinates are relative to.
    double reach_from_base() const {
        Vec3<> const from = clusters_.position_of(base_);
        double result = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            result = std::max({result, high_[axis] - from[axis], from[axis] - low_[axis]});
        return result;
    }
    /// From here on, j clusters are those in the image `whole` of the cell; instead, i is moved the other way.
    void choose_image(std::array<int, 3> const& whole) {
        Box const& cell = clusters_.cell;
        whole_ = whole;
        shift_ = cell.a * -whole[0] + cell.b * -whole[1] + cell.c * -whole[2];
        moved_high_ = high_ + shift_;
    }
    void add_image(ClusterGroup const& group, std::array<int, 3> const& whole, ClusterLists<Arch>& result) {
        choose_image(whole);
        int const i = group.i.cluster;
        Vec3<> const low = low_ + shift_, high = moved_high_;
        auto columns = [&](Range const& range, int image, int n) {
            auto index = [&](double s) {
                return static_cast<int>(std::floor(std::clamp(s - image, 0.0, 0.9999999999) * n));
            };
            return std::pair{index(range.low), index(range.high)};
        };
        auto const [a_first, a_last] = columns(a_, whole[0], clusters_.columns[0]);
        auto const [b_first, b_last] = columns(b_, whole[1], clusters_.columns[1]);
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
        int count =
            Loops<Arch, Real>::find_near(clusters_.bounds(), ranges_.data(), static_cast<int>(ranges_.size()), from, to,
                                         radius2_ * 1.00001f, found_.data());
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

    /// A j cluster of which another image than the one that is meant is within half of each of the cell's vectors.
    struct Beyond {
        std::array<int, 3> quarters, whole;
        std::int32_t cluster;
    };
    /// Takes these out of the first `count` of those found; returns how many are left.
    int set_aside(int count) {
        int left = 0;
        for (int n = 0; n < count; ++n) {
            std::int32_t const j = found_[static_cast<std::size_t>(n)];
            if (auto const quarters = quarters_to(j); quarters == std::array<int, 3>{})
                found_[static_cast<std::size_t>(left++)] = j;
            else
                beyond_.push_back({quarters, whole_, j});
        }
        return left;
    }
    /// From the i clusters to j, where more than half of a vector is between them; else 0.
    std::array<int, 3> quarters_to(int j) const {
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
                         [](Beyond const& a, Beyond const& b) { return a.quarters < b.quarters; });
        for (auto entry = beyond_.begin(); entry != beyond_.end();) {
            auto const quarters = entry->quarters;
            auto group = start(i, quarters, result);
            for (; entry != beyond_.end() && entry->quarters == quarters; ++entry) {
                choose_image(entry->whole);
                add(group, entry->cluster, result);
            }
            finish(group, result);
        }
    }

    ClusterGroup start(int i, std::array<int, 3> const& quarters, ClusterLists<Arch> const& result) {
        for (auto& masked : masked_) masked.clear();
        ClusterGroup group{.i = {.cluster = i,
                                 .count = count_,
                                 .quarters = {quarters[0], quarters[1], quarters[2]},
                                 .by_points = false,
                                 .masked = {}},
                           .plain = {}};
        for (std::size_t kind = 0; kind < 3; ++kind)
            group.plain[kind] = {size(result.plain[kind]), size(result.plain[kind])};
        return group;
    }
    /// The first `count` of those found. Nearly all are plain and behind all i clusters.
    void add_found(ClusterGroup const& group, int count, ClusterLists<Arch>& result) {
        int const usual = group.i.count == 2 ? near_both : 0;
        auto& list = result.plain[static_cast<std::size_t>(usual)];
        std::uint64_t const filter = half_box_.matters() ? ~std::uint64_t{0} : filter_[0] | filter_[1];
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
    /// Where a j cluster belongs as plain, for the i clusters that do not stand behind it; for others it is masked.
    int kind_of(ClusterGroup const& group, std::int32_t j) {
        bool is_plain[2];
        for (int s = 0; s < 2; ++s)
            is_plain[s] =
                s < count_ && j >= group.i.cluster + s && !(may_be_masked(s, group, j) && add_masked(s, group, j));
        if (is_plain[0] && is_plain[1]) return near_both;
        return is_plain[0] ? 0 : is_plain[1] ? 1 : none;
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

    /// Whether a closer look is worth its time.
    bool may_be_masked(int s, ClusterGroup const& group, int j) const {
        return j == group.i.cluster + s || (filter_[s] >> (j & 63) & 1) != 0 || half_box_.matters();
    }
    /// False if all pairs with i cluster `s` interact.
    bool add_masked(int s, ClusterGroup const& group, int j) {
        std::uint32_t excluded = j == group.i.cluster + s ? 0b1000'1100'1110'1111 : 0, screened = 0;
        for (auto const& entry : excluded_[s]) {
            if (entry.cluster != j) continue;
            excluded |= entry.bit;
            if (exclusions_.screened && is_screened(entry)) screened |= entry.bit;
        }
        bool const is_masked = excluded != 0 || reaches_half_box(j);
        if (is_masked) masked_[s].push_back({j, used(j) & ~excluded, screened});
        return is_masked;
    }
    /// All pairs with particles: unused places are far from everything only where coordinates are.
    std::uint32_t used(int j) const {
        std::uint32_t result = 0;
        for (int n = 0; n < cluster_size; ++n)
            if (clusters_.particles[static_cast<std::size_t>(cluster_size * j + n)] >= 0)
                result |= 0xFu << cluster_size * n;
        return result;
    }
    bool reaches_half_box(int j) const {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (moved_high_[axis] - clusters_.lower[axis][static_cast<std::size_t>(j)] + half_box_.margin
                >= half_box_.half[axis])
                return true;
        return false;
    }

    bool is_screened(Excluded const& entry) const {
        auto const i = static_cast<std::size_t>(entry.place_i), j = static_cast<std::size_t>(entry.place_j);
        int const particle_i = clusters_.particles[i], particle_j = clusters_.particles[j];
        if (!exclusions_.in_loop(positions_, clusters_.cell, particle_i, particle_j)) return false;
        Vec3<> const image{double(whole_[0]), double(whole_[1]), double(whole_[2])};
        Vec3<> const whole = clusters_.lattice[i] - image - clusters_.lattice[j];
        if (!exclusions_.periodic) return whole == Vec3<>{};
        Vec3<> const d = positions_[static_cast<std::size_t>(particle_i)]
                         - positions_[static_cast<std::size_t>(particle_j)] + clusters_.cell.a * whole.x
                         + clusters_.cell.b * whole.y + clusters_.cell.c * whole.z;
        return dot(d, d) < exclusions_.reach * exclusions_.reach * 1.0001;
    }

    /// Excluded pairs of the particles of i cluster `s` with places behind their own.
    void find_excluded(int i, int s) {
        excluded_[s].clear();
        filter_[s] = 0;
        if (exclusions_.partners.empty()) return;
        for (int n = 0; n < cluster_size; ++n) {
            int const place = (i + s) * cluster_size + n,
                      particle = clusters_.particles[static_cast<std::size_t>(place)];
            if (particle < 0) continue;
            for (int k = exclusions_.first[static_cast<std::size_t>(particle)];
                 k < exclusions_.first[static_cast<std::size_t>(particle) + 1]; ++k) {
                int const other =
                    clusters_.places[static_cast<std::size_t>(exclusions_.partners[static_cast<std::size_t>(k)])];
                if (other < place) continue;
                excluded_[s].push_back(
                    {other / cluster_size, 1u << (other % cluster_size * cluster_size + n), place, other});
                filter_[s] |= std::uint64_t{1} << (other / cluster_size & 63);
            }
        }
    }

    Clusters<Arch, Real> const& clusters_;
    ClusterView<Real> view_;
    std::vector<Vec3<>> const& positions_;
    Exclusions<Arch> const& exclusions_;
    HalfBox<Arch> const& half_box_;
    double radius_;
    float radius2_;
    double reach_of_points_;  ///< for i particles that are no farther from their base, points will do
    double half_of_cell_;
    Steps base_{};                ///< of the present i clusters
    bool may_be_beyond_ = false;  ///< of the present i clusters: images other than the nearest may be meant
    Vec3<> low_, high_;
    std::array<int, 3> whole_{};  ///< the present image
    Vec3<> shift_, moved_high_;   ///< of i clusters, for it
    Range a_, b_, c_;
    std::int32_t count_ = 1;             ///< of the present i clusters
    std::vector<Excluded> excluded_[2];  ///< of each of them
    std::uint64_t filter_[2] = {0, 0};
    std::vector<MaskedPair> masked_[2];
    std::vector<ClusterRange> ranges_;
    std::vector<std::int32_t> found_;
    std::vector<Beyond> beyond_;
};

}  // namespace trotter::cpu
