// Memory layout of constraint clusters of one kind for the SIMD loops.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trotter/common/constraints/kernels.hpp>

namespace trotter {

/// Groups with equal parameters share them, as most clusters of a kind are equal. The last group of a block is padded
/// by repeating a cluster, which is then computed more than once with the same result.
class LaneClusters {
public:
    LaneClusters(std::size_t lanes, std::size_t members) : lanes_(lanes), members_(members) {}

    /// Adds a cluster to the current block.
    void add(std::span<int const> particles, std::span<double const> numbers) {
        if (filled_ == 0) {
            particles_.resize(particles_.size() + members_ * lanes_);
            group_.resize(numbers.size() * lanes_);
        }
        auto* const members = particles_.data() + particles_.size() - members_ * lanes_;
        for (std::size_t lane = filled_; lane < lanes_; ++lane) {
            for (std::size_t n = 0; n < members_; ++n) members[n * lanes_ + lane] = particles[n];
            for (std::size_t n = 0; n < numbers.size(); ++n) group_[n * lanes_ + lane] = numbers[n];
        }
        if (++filled_ == lanes_) end_group();
    }
    void end_block() {
        if (filled_ > 0) end_group();
        block_end_.push_back(groups());
    }

    std::size_t groups() const { return numbers_at_.size(); }
    /// First and past-the-end group of a block.
    std::pair<std::size_t, std::size_t> groups_of(std::size_t block) const {
        return {block > 0 ? block_end_[block - 1] : 0, block_end_[block]};
    }
    /// Slot of the next cluster: group · lanes + lane.
    std::size_t next_slot() const { return groups() * lanes_ + filled_; }

    ClustersInLanes view(std::size_t begin, std::size_t end) const {
        return {particles_.data() + begin * members_ * lanes_, numbers_at_.data() + begin, numbers_.data(),
                end - begin};
    }

    std::size_t lanes() const { return lanes_; }
    int particle(std::size_t group, std::size_t member, std::size_t lane) const {
        return particles_[(group * members_ + member) * lanes_ + lane];
    }
    double number(std::size_t group, std::size_t n, std::size_t lane) const {
        return numbers_[numbers_at_[group] + n * lanes_ + lane];
    }

private:
    void end_group() {
        std::size_t const last = numbers_.size() - std::min(group_.size(), numbers_.size());
        bool const is_new = !std::ranges::equal(group_, std::span(numbers_).subspan(last));
        numbers_at_.push_back(static_cast<std::uint32_t>(is_new ? numbers_.size() : last));
        if (is_new) numbers_.insert(numbers_.end(), group_.begin(), group_.end());
        filled_ = 0;
    }

    std::size_t lanes_, members_, filled_ = 0;  // filled_: lanes of the last group in use
    std::vector<std::int32_t> particles_;
    std::vector<double> numbers_, group_;  // group_: parameters of the last group
    std::vector<std::uint32_t> numbers_at_;
    std::vector<std::size_t> block_end_;
};

}  // namespace trotter
