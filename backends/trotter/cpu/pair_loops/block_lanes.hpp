// Finds the lanes of a block of j particles that are near an i cluster, and their interaction masks.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>

#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

/// A block of at most `capacity` lanes, which hold consecutive entries of a list.
template <class Real, class Arch, int capacity> class BlockLanes {
    static constexpr int width = static_cast<int>(Batch<Real, Arch>::size);

public:
    /// Registers with masked pairs, and the lanes of the others.
    struct Near {
        ListRange masked, plain, without_lj;
    };

    /// Sets the block: its `size` lanes hold the entries from `from` on.
    [[gnu::always_inline]] void set(PairView<Real> const& view, std::int32_t from, int size) {
        from_ = from, size_ = size, of_entry_ = view.lists_clusters ? cluster_size : 1;
    }
    /// The lane of an entry, clamped to the block.
    [[gnu::always_inline]] int inside(std::int32_t entry) const {
        int const n = lane(entry);
        return n < 0 ? 0 : n > size_ ? size_ : n;
    }
    /// Returns the lanes near i cluster `s` of a group; masks are valid until the next call.
    [[gnu::always_inline]] Near near(PairView<Real> const& view, ParticleGroup const& g, int s) {
        auto const range = [&](ListRange entries) { return ListRange{inside(entries.begin), inside(entries.end)}; };
        Near result{{0, 0}, range(g.plain[s]), range(g.without_lj)};
        int const first = lane(g.masked_begin[s]), last = first + cluster_size * g.i.masked[s].count(),
                  begin = first < 0 ? 0 : first, end = last > size_ ? size_ : last;
        if (begin >= end) return result;
        result.masked = {begin / width, (end + width - 1) / width};
        ListRange const wide{result.masked.begin * width, result.masked.end * width};
        for (int n = wide.begin; n < wide.end; ++n)
            met_[beside + n] = n >= result.plain.begin && n < result.plain.end ? 0xFF : 0;
        MaskedPair const* const pairs = view.masked + g.i.masked[s].begin;
        for (int k = (begin - first) / cluster_size; first + cluster_size * k < end; ++k)
            set_met(first + cluster_size * k, pairs[k]);
        result.plain = without(result.plain, wide);
        return result;
    }
    /// The lanes of register `n`, one with masked pairs, with which particle `i` of the cluster interacts, and those
    /// with Ewald corrections too.
    [[gnu::always_inline]] Mask<Real, Arch> interacting(int n, int i) const { return with(n, 0x01 << i); }
    [[gnu::always_inline]] Mask<Real, Arch> interacting_or_screened(int n, int i) const { return with(n, 0x11 << i); }

private:
    [[gnu::always_inline]] int lane(std::int32_t entry) const { return of_entry_ * (entry - from_); }
    [[gnu::always_inline]] Mask<Real, Arch> with(int n, Word<Real> bits) const {
        return lanes_with<Real, Arch>(met_ + beside + n * width, bits);
    }
    /// Sets the lanes from `n` on, which may be a little before the first or after the last.
    [[gnu::always_inline]] void set_met(int n, MaskedPair const& pair) {
        using Words [[gnu::vector_size(cluster_size * sizeof(Word<Real>))]] = Word<Real>;
        constexpr Steps of_j = {0, 4, 8, 12};
        Steps const interacting = Steps{} + pair.interaction_mask, screened = Steps{} + pair.ewald_correction_mask;
        Words const words =
            __builtin_convertvector((interacting >> of_j & 0xFu) | (screened >> of_j & 0xFu) << 4, Words);
        std::memcpy(met_ + beside + n, &words, sizeof words);
    }
    /// Removes `part` from the beginning or the end of a range.
    [[gnu::always_inline]] static ListRange without(ListRange range, ListRange part) {
        if (part.begin <= range.begin)
            range.begin = range.begin > part.end ? range.begin : part.end;
        else
            range.end = range.end < part.begin ? range.end : part.begin;
        return {range.begin, range.end < range.begin ? range.begin : range.end};
    }

    static constexpr int beside = 64 / sizeof(Word<Real>);  ///< padding: at least a cluster, and aligned
    std::int32_t from_;
    int size_, of_entry_;
    /// For lanes in registers with masked pairs: one bit for each particle of the i cluster that interacts with the
    /// lane's, then one for each with only an Ewald correction.
    alignas(64) Word<Real> met_[beside + capacity + beside];
};

}  // namespace trotter::cpu
