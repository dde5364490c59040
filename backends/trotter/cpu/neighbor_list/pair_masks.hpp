// Interaction masks of the particle pairs of two clusters.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/cpu/neighbor_list/clusters.hpp>
#include <trotter/cpu/neighbor_list/exclusions.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/vec3.hpp>

namespace trotter::cpu {

/// If the cutoff is half the box, two images of a pair can both be at the cutoff. The one whose difference is not below
/// half the box does not count; pairs that may come to be there are masked.
template <class Arch> struct HalfBox {
    Vec3<> half;        ///< infinite along longer axes
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

/// Masks of one i cluster, or two consecutive ones, with j clusters in an image of the cell.
template <class Arch, class Real> class PairMasks {
public:
    PairMasks(Clusters<Arch, Real> const& clusters, std::vector<Vec3<>> const& positions,
              Exclusions<Arch> const& exclusions, HalfBox<Arch> const& half_box)
        : clusters_(clusters), positions_(positions), exclusions_(exclusions), half_box_(half_box) {}

    /// Selects `count` i clusters.
    void choose(int i, int count) {
        i_ = i;
        count_ = count;
        for (int s = 0; s < count; ++s) find_excluded(s);
    }
    /// Selects the image `whole` of the j clusters, where i clusters, shifted the other way, reach up to `high`.
    void choose_image(std::array<int, 3> const& whole, Vec3<> const& high) {
        whole_ = whole;
        high_ = high;
    }

    /// The last cluster with excluded partners of the i clusters, at least the last of these.
    int last_excluded() const {
        int last = i_ + count_ - 1;
        for (int s = 0; s < count_; ++s)
            for (auto const& entry : excluded_[s]) last = std::max(last, entry.cluster);
        return last;
    }
    /// If bit j % 64 is 0, all pairs of j clusters after the i clusters interact.
    std::uint64_t filter() const { return half_box_.matters() ? ~std::uint64_t{0} : filter_[0] | filter_[1]; }
    /// Returns the masks of i cluster `s` with a j cluster; none if all pairs interact.
    std::optional<MaskedPair> masked(int s, int j) const {
        if (!may_be_masked(s, j)) return {};
        std::uint32_t excluded = j == i_ + s ? 0b1000'1100'1110'1111 : 0, screened = 0;
        for (auto const& entry : excluded_[s]) {
            if (entry.cluster != j) continue;
            excluded |= entry.bit;
            if (exclusions_.screened && is_screened(entry)) screened |= entry.bit;
        }
        if (excluded == 0 && !reaches_half_box(j)) return {};
        return MaskedPair{j, used(j) & ~excluded, screened};
    }

private:
    struct Excluded {
        std::int32_t cluster;
        std::uint32_t bit;
        int slot_i, slot_j;
    };

    /// A quick check: false if all pairs interact.
    bool may_be_masked(int s, int j) const {
        return j == i_ + s || (filter_[s] >> (j & 63) & 1) != 0 || half_box_.matters();
    }
    /// All pairs with particles: unused slots are out of range by coordinates, but not by points.
    std::uint32_t used(int j) const {
        std::uint32_t result = 0;
        for (int n = 0; n < cluster_size; ++n)
            if (clusters_.particles[static_cast<std::size_t>(cluster_size * j + n)] >= 0)
                result |= 0xFu << cluster_size * n;
        return result;
    }
    bool reaches_half_box(int j) const {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (high_[axis] - clusters_.lower[axis][static_cast<std::size_t>(j)] + half_box_.margin
                >= half_box_.half[axis])
                return true;
        return false;
    }

    bool is_screened(Excluded const& entry) const {
        auto const i = static_cast<std::size_t>(entry.slot_i), j = static_cast<std::size_t>(entry.slot_j);
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

    /// Finds the excluded pairs of i cluster `s` with slots after their own.
    void find_excluded(int s) {
        excluded_[s].clear();
        filter_[s] = 0;
        if (exclusions_.partners.empty()) return;
        for (int n = 0; n < cluster_size; ++n) {
            int const slot = (i_ + s) * cluster_size + n,
                      particle = clusters_.particles[static_cast<std::size_t>(slot)];
            if (particle < 0) continue;
            for (int k = exclusions_.first[static_cast<std::size_t>(particle)];
                 k < exclusions_.first[static_cast<std::size_t>(particle) + 1]; ++k) {
                int const other =
                    clusters_.slots[static_cast<std::size_t>(exclusions_.partners[static_cast<std::size_t>(k)])];
                if (other < slot) continue;
                excluded_[s].push_back(
                    {other / cluster_size, 1u << (other % cluster_size * cluster_size + n), slot, other});
                filter_[s] |= std::uint64_t{1} << (other / cluster_size & 63);
            }
        }
    }

    Clusters<Arch, Real> const& clusters_;
    std::vector<Vec3<>> const& positions_;
    Exclusions<Arch> const& exclusions_;
    HalfBox<Arch> const& half_box_;
    int i_ = 0, count_ = 0;
    std::vector<Excluded> excluded_[2];  ///< of each i cluster
    std::uint64_t filter_[2] = {0, 0};
    std::array<int, 3> whole_{};
    Vec3<> high_;
};

}  // namespace trotter::cpu
