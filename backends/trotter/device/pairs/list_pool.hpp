// Memory pool shared by the lists of one range.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/device/runtime/vectors.hpp>

namespace trotter::device {

/// Pool of list entries; each copy of a System has an equal part.
template <DeviceQueue Q> class ListPool {
public:
    ListPool(Q& queue, std::size_t copies)
        : copies_(copies), used_(queue, std::vector<mm_ulong>(2 * copies)), capacity_(queue.version()) {
        allocate(queue, 0);
    }

    Array<Q, mm_ulong> const& used() const { return used_; }
    Array<Q, std::uint32_t> const& entries() const { return entries_; }
    ChangingNumber<std::int32_t> const& capacity() const { return capacity_; }  ///< of each copy

    void allocate(Q& queue, std::int32_t capacity) {
        capacity_ = capacity;
        entries_ = Array<Q, std::uint32_t>(queue,
                                           std::max<std::size_t>(copies_ * static_cast<std::size_t>(capacity), 1));
    }
    /// Whether the newest lists leave little room. Waits for the device.
    bool is_nearly_full(Q& queue) { return needed(queue) > 0.8 * capacity_; }
    /// Allocates 1.5 times what the newest lists need. Waits for the device.
    void fit(Q& queue) {
        double const wanted = 1.5 * needed(queue) + 1024;
        if (wanted * static_cast<double>(copies_) < most_capacity)
            allocate(queue, std::max<std::int32_t>(capacity_, static_cast<std::int32_t>(wanted)));
    }

private:
    static constexpr double most_capacity = 2e9;  // starts of lists are 32-bit integers

    // Need of the largest copy, whether or not it was available; the other of its two numbers is 0.
    double needed(Q& queue) {
        double most = 0;
        auto const both = used_.download(queue);
        for (std::size_t n = 0; n < both.size(); n += 2)
            most = std::max(most, static_cast<double>(both[n]) + static_cast<double>(both[n + 1]));
        return most;
    }

    std::size_t copies_;
    Array<Q, mm_ulong> used_;
    Array<Q, std::uint32_t> entries_;
    ChangingNumber<std::int32_t> capacity_;
};

}  // namespace trotter::device
