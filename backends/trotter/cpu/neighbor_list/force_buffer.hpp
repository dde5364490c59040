// The buffer for forces and other per-particle sums of one task.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <trotter/cpu/neighbor_list/pair_list.hpp>

namespace trotter::cpu {

/// Forces and sums of the slots that a task touches, by reduction block. The lowest bits of a slot are its index in the
/// buffer: as many bits as keep the reduction blocks apart. Gaps between blocks are never written, and so take no
/// memory. `Arch` only keeps symbols of different instruction sets apart.
template <class Arch, class Real> class ForceBuffer {
public:
    /// Allocates these reduction blocks. Besides its force, each slot has `sum_count` sums.
    void choose(std::vector<int> reduction_blocks, int sum_count) {
        reduction_blocks_ = std::move(reduction_blocks);
        sum_count_ = static_cast<std::size_t>(sum_count);
        while (!are_apart()) size_ *= 2;
        std::size_t const needed = (record_size + sum_count_) * slots();
        if (needed <= capacity_) return;
        memory_.reset(static_cast<Real*>(::operator new[](needed * sizeof(Real), std::align_val_t{alignment})));
        capacity_ = needed;
    }
    void clear() {
        for (std::size_t n = 0, count; n < reduction_blocks_.size(); n += count) {
            std::size_t const first = first_slot(reduction_blocks_[n]);
            count = 1;
            while (n + count < reduction_blocks_.size()
                   && first_slot(reduction_blocks_[n + count]) == first + count * slots_per_block)
                ++count;
            clear(forces() + record_size * first, record_size * count * slots_per_block);
            for (std::size_t k = 0; k < sum_count_; ++k) clear(sums() + k * slots() + first, count * slots_per_block);
        }
    }

    std::vector<int> const& reduction_blocks() const { return reduction_blocks_; }
    std::int32_t slot_mask() const { return static_cast<std::int32_t>(slots()) - 1; }
    /// The stride from one quantity's sums to the next.
    std::size_t sum_stride() const { return slots(); }
    Real* forces() { return memory_.get(); }
    Real* sums() { return memory_.get() + record_size * slots(); }
    Real const* forces_of(int g) const { return memory_.get() + record_size * first_slot(g); }
    Real const* sums_of(int g, std::size_t number) const {
        return memory_.get() + (record_size + number) * slots() + first_slot(g);
    }

private:
    static constexpr std::size_t alignment = 64;
    struct Free {
        void operator()(Real* p) const { ::operator delete[](p, std::align_val_t{alignment}); }
    };

    static void clear(Real* first, std::size_t count) { std::fill_n(first, count, Real(0)); }
    std::size_t slots() const { return static_cast<std::size_t>(size_) * slots_per_block; }
    std::size_t first_slot(int g) const { return static_cast<std::size_t>(g & (size_ - 1)) * slots_per_block; }
    bool are_apart() const {
        std::vector<char> is_taken(static_cast<std::size_t>(size_));
        return std::none_of(reduction_blocks_.begin(), reduction_blocks_.end(), [&](int g) {
            return std::exchange(is_taken[static_cast<std::size_t>(g & (size_ - 1))], 1) != 0;
        });
    }

    std::vector<int> reduction_blocks_;
    std::size_t sum_count_ = 0, capacity_ = 0;
    int size_ = 1;  ///< in reduction blocks: a power of two
    std::unique_ptr<Real[], Free> memory_;
};

}  // namespace trotter::cpu
