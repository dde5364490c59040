// An array that is uploaded only when its values change.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/device/runtime/array.hpp>

namespace trotter::device {

/// An array on the device, with a host copy of its values.
template <DeviceQueue Q> class UploadedNumbers {
public:
    using Element = AnyReal;

    /// Has capacity for `size` numbers; more reallocate the array.
    UploadedNumbers(Q& queue, std::size_t size, bool is_double) : array_(queue, size, is_double) {}

    NumberArray<Q> const& array() const { return array_; }
    Argument argument() const { return array_.argument(); }

    void set(Q& queue, std::vector<double> values) {
        if (values == values_) return;
        values_.clear();  // in case the upload throws
        array_.upload(queue, values);
        values_ = std::move(values);
    }

private:
    NumberArray<Q> array_;
    std::vector<double> values_;
};

}  // namespace trotter::device
