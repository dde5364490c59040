// Lists of particles for pair loops, made from lists of clusters.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/cpu/neighbor_list/pair_search.hpp>

namespace trotter::cpu {

/// One task's groups. Vectors may be longer than their used part.
template <class Arch> struct ParticleLists {
    std::vector<ParticleGroup> groups;
    std::vector<MaskedPair> masked;
    std::vector<std::int32_t> slots;
    int group_count = 0;

    /// Takes all clusters of a list, for loops without a cutoff. Many groups share its long ranges.
    void take_all(ClusterLists<Arch> const& from) {
        std::array<int, 3> start{};  // of the three lists in `slots`
        slots.clear();
        for (std::size_t which = 0; which < 3; ++which) {
            start[which] = static_cast<int>(slots.size());
            slots.insert(slots.end(), from.plain[which].begin(), from.plain[which].end());
        }
        masked = from.masked;
        groups.clear();
        for (auto const& group : from.groups) {
            std::array<ListRange, 3> of;
            for (std::size_t which = 0; which < 3; ++which)
                of[which] = {start[which] + group.plain[which].begin, start[which] + group.plain[which].end};
            groups.push_back(all_of(group.i, of));
        }
        group_count = static_cast<int>(groups.size());
    }

private:
    /// Makes a group from the ranges `of` each NearWhich: a contiguous copy, unless it is one range without masked
    /// pairs.
    ParticleGroup all_of(IClusters const& i, std::array<ListRange, 3> of) {
        auto const end = [&] { return static_cast<std::int32_t>(slots.size()); };
        bool const has_masked = i.masked[0].begin < i.masked[i.count - 1].end;
        int const parts =
            static_cast<int>(std::count_if(of.begin(), of.end(), [](auto const& range) { return range.count() > 0; }));
        ParticleGroup result{.i = i, .all = {}, .plain = {}, .masked_begin = {}, .without_lj = {}};
        if (!has_masked && parts == 1) {
            for (int s = 0; s < 2; ++s)
                result.plain[s] =
                    of[static_cast<std::size_t>(s)].count() > 0 ? of[static_cast<std::size_t>(s)] : of[near_both];
            auto const& all = *std::max_element(of.begin(), of.end(),
                                                [](auto const& a, auto const& b) { return a.count() < b.count(); });
            result.all = all;
            result.masked_begin[0] = all.begin, result.masked_begin[1] = all.end;
        } else {
            auto const copy = [&](NearWhich which) {
                ListRange const range = of[static_cast<std::size_t>(which)];
                for (std::int32_t n = range.begin; n < range.end; ++n)
                    slots.push_back(std::int32_t{slots[static_cast<std::size_t>(n)]});
                return ListRange{end() - range.count(), end()};
            };
            auto const copy_masked = [&](int s) {
                result.masked_begin[s] = end();
                for (int n = i.masked[s].begin; n < i.masked[s].end; ++n)
                    slots.push_back(masked[static_cast<std::size_t>(n)].cluster);
            };
            result.all.begin = end();
            copy_masked(0);
            auto const first = copy(near_first), both = copy(near_both), second = copy(near_second);
            copy_masked(1);
            result.all.end = end();
            result.plain[0] = {first.begin, both.end};
            result.plain[1] = {both.begin, second.end};
        }
        result.without_lj = {result.all.end, result.all.end};
        return result;
    }
};

/// Pruning output with room for all particles of a list of clusters.
template <class Arch> struct ParticleRoom {
    PrunedParticleList narrow;
    std::vector<std::int32_t> kinds;

    ParticleRoom(ParticleLists<Arch>& lists, ClusterLists<Arch> const& from, float radius2) {
        auto widen = [](auto& list, std::size_t size) {
            if (list.size() < size) list.resize(size);
        };
        std::size_t most = 0;
        for (auto const& group : from.groups) {
            int clusters = 0;
            for (auto const& range : group.plain) clusters += range.count();
            most = std::max(most, static_cast<std::size_t>(clusters));
        }
        std::size_t all = 0;
        for (auto const& list : from.plain) all += list.size();
        widen(lists.groups, from.groups.size() + 1);
        widen(lists.masked, from.masked.size() + 1);
        widen(lists.slots, cluster_size * (all + from.masked.size()));
        constexpr std::size_t written_at_once = cluster_size * cluster_size;
        std::size_t const of_kind = cluster_size * most + written_at_once;
        kinds.resize(slot_sections * of_kind);
        narrow = {radius2, lists.groups.data(), lists.masked.data(), lists.slots.data(), {}, 0, 0, 0};
        for (std::size_t kind = 0; kind < slot_sections; ++kind) narrow.kinds[kind] = kinds.data() + kind * of_kind;
    }
};

}  // namespace trotter::cpu
