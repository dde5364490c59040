// A smart pointer that owns its object.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

namespace trotter {

/// Like `std::unique_ptr`, whose header `memory` alone takes a sixth of this folder's compile time.
template <class T> class Owned {
public:
    /// Constructs the object in place.
    template <class... Arguments> explicit Owned(std::in_place_t, Arguments&&... arguments)
        : object_(new T(std::forward<Arguments>(arguments)...)) {}
    /// Leaves `other` empty.
    Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    /// Exchanges the objects.
    Owned& operator=(Owned&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Owned() { delete object_; }

    /// False after a move from it.
    explicit operator bool() const { return object_ != nullptr; }

    ///@{
    /// The object; undefined after a move from it.
    T& operator*() { return *object_; }
    T const& operator*() const { return *object_; }
    T* operator->() { return object_; }
    T const* operator->() const { return object_; }
    ///@}

private:
    T* object_;
};

}  // namespace trotter
