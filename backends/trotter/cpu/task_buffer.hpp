// What one task adds to the forces of particles, and to other numbers that they have.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// Forces and sums of the places that a task touches, granule by granule. Numbers of a place stand where the lowest
/// bits of its own number say: as many bits as keep the granules apart. What lies between them is never written, and so
/// takes no memory. `Arch` only keeps symbols of different instruction sets apart.
template <class Arch, class Real> class TaskBuffer {
public:
    /// Room for these granules. Besides its force, each place has `sum_count` numbers.
    void choose(std::vector<int> granules, int sum_count) {
        granules_ = std::move(granules);
        sum_count_ = static_cast<std::size_t>(sum_count);
        while (!are_apart()) size_ *= 2;
        std::size_t const needed = (record_size + sum_count_) * places();
        if (needed <= capacity_) return;
        memory_.reset(static_cast<Real*>(::operator new[](needed * sizeof(Real), std::align_val_t{alignment})));
        capacity_ = needed;
    }
    void clear() {
        for (std::size_t n = 0, count; n < granules_.size(); n += count) {
            std::size_t const first = first_place(granules_[n]);
            count = 1;
            while (n + count < granules_.size() && first_place(granules_[n + count]) == first + count * granule_places)
                ++count;
            clear(forces() + record_size * first, record_size * count * granule_places);
            for (std::size_t k = 0; k < sum_count_; ++k) clear(sums() + k * places() + first, count * granule_places);
        }
    }

    std::vector<int> const& granules() const { return granules_; }
    std::int32_t place_mask() const { return static_cast<std::int32_t>(places()) - 1; }
    /// From the sums of one number to those of the next.
    std::size_t sum_stride() const { return places(); }
    Real* forces() { return memory_.get(); }
    Real* sums() { return memory_.get() + record_size * places(); }
    Real const* forces_of(int g) const { return memory_.get() + record_size * first_place(g); }
    Real const* sums_of(int g, std::size_t number) const {
        return memory_.get() + (record_size + number) * places() + first_place(g);
    }

private:
    static constexpr std::size_t alignment = 64;
    struct Free {
        void operator()(Real* p) const { ::operator delete[](p, std::align_val_t{alignment}); }
    };

    static void clear(Real* first, std::size_t count) { std::fill_n(first, count, Real(0)); }
    std::size_t places() const { return static_cast<std::size_t>(size_) * granule_places; }
    std::size_t first_place(int g) const { return static_cast<std::size_t>(g & (size_ - 1)) * granule_places; }
    bool are_apart() const {
        std::vector<char> is_taken(static_cast<std::size_t>(size_));
        return std::none_of(granules_.begin(), granules_.end(), [&](int g) {
            return std::exchange(is_taken[static_cast<std::size_t>(g & (size_ - 1))], 1) != 0;
        });
    }

    std::vector<int> granules_;
    std::size_t sum_count_ = 0, capacity_ = 0;
    int size_ = 1;  ///< in granules: a power of two
    std::unique_ptr<Real[], Free> memory_;
};

}  // namespace trotter::cpu
