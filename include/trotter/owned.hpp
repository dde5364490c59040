// An object in a place that it never leaves.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

namespace trotter {

/// What `std::unique_ptr` is, without <memory>: that header alone costs a sixth of what this folder takes to compile.
template <class T> class Owned {
public:
    template <class... Arguments> explicit Owned(std::in_place_t, Arguments&&... arguments)
        : object_(new T(std::forward<Arguments>(arguments)...)) {}
    Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Owned() { delete object_; }

    /// False once it has been moved from.
    explicit operator bool() const { return object_ != nullptr; }

    T& operator*() { return *object_; }
    T const& operator*() const { return *object_; }
    T* operator->() { return object_; }
    T const* operator->() const { return object_; }

private:
    T* object_;
};

}  // namespace trotter
