// Arrays in device memory.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/device/runtime/numbers.hpp>
#include <trotter/device/runtime/queue.hpp>

namespace trotter::device {

/// `size` elements of type T.
template <DeviceQueue Q, Storable T> class Array {
public:
    using Element = T;

    Array() = default;
    Array(Q& queue, std::size_t size) : buffer_(queue.allocate(size * sizeof(T))), size_(size) {}
    Array(Q& queue, std::vector<T> const& values) : Array(queue, values.size()) { upload(queue, values); }

    std::size_t size() const { return size_; }
    Argument argument() const { return buffer_.argument(); }
    auto& buffer() { return buffer_; }

    void upload(Q& queue, std::vector<T> const& values) {
        if (values.size() > size_) *this = Array(queue, values.size());
        if (!values.empty()) queue.upload(buffer_, 0, values.data(), values.size() * sizeof(T));
    }
    std::vector<T> download(Q& queue) const { return download(queue, 0, size_); }
    std::vector<T> download(Q& queue, std::size_t first, std::size_t count) const {
        std::vector<T> values(count);
        if (count > 0) queue.download(buffer_, first * sizeof(T), values.data(), count * sizeof(T));
        return values;
    }
    void clear(Q& queue) {
        if (size_ > 0) queue.clear(buffer_);
    }

private:
    typename Q::Buffer buffer_;
    std::size_t size_ = 0;
};

/// `size` numbers, or vectors of two or four, float or double as chosen at run time; double on the host.
template <DeviceQueue Q> class NumberArray {
public:
    using Element = AnyReal;

    NumberArray() = default;
    NumberArray(Q& queue, std::size_t size, bool is_double)
        : buffer_(queue.allocate(size * (is_double ? sizeof(double) : sizeof(float)))), size_(size), is_double_(is_double) {}
    NumberArray(Q& queue, std::vector<double> const& values, bool is_double) : NumberArray(queue, values.size(), is_double) {
        upload(queue, values);
    }

    std::size_t size() const { return size_; }
    Argument argument() const { return buffer_.argument(); }

    void upload(Q& queue, std::vector<double> const& values) {
        if (values.size() > size_) *this = NumberArray(queue, values.size(), is_double_);
        upload(queue, values, 0);
    }
    /// Uploads to index `first` on; the array must be large enough.
    void upload(Q& queue, std::vector<double> const& values, std::size_t first) {
        if (values.empty()) return;
        if (is_double_)
            return queue.upload(buffer_, first * sizeof(double), values.data(), values.size() * sizeof(double));
        std::vector<float> const rounded(values.begin(), values.end());
        queue.upload(buffer_, first * sizeof(float), rounded.data(), rounded.size() * sizeof(float));
    }
    std::vector<double> download(Q& queue) const {
        std::vector<double> values(size_);
        if (size_ == 0) return values;
        if (is_double_) {
            queue.download(buffer_, 0, values.data(), size_ * sizeof(double));
            return values;
        }
        std::vector<float> rounded(size_);
        queue.download(buffer_, 0, rounded.data(), size_ * sizeof(float));
        return {rounded.begin(), rounded.end()};
    }
    void clear(Q& queue) {
        if (size_ > 0) queue.clear(buffer_);
    }

private:
    typename Q::Buffer buffer_;
    std::size_t size_ = 0;
    bool is_double_ = false;
};

}  // namespace trotter::device
