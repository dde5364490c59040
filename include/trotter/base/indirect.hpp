// An owned value whose type may be incomplete where the holder is defined.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/base/owned.hpp>

namespace trotter {

/// Like `std::indirect` of C++26: copies are deep, and there is always a T.
template <class T> class Indirect {
public:
    Indirect() : object_(std::in_place) {}
    /// Owns a copy of `object`.
    Indirect(T object) : object_(std::in_place, std::move(object)) {}
    /// Deep copy.
    Indirect(Indirect const& other) : object_(std::in_place, *other) {}
    /// Leaves a moved-from T behind, not an empty holder.
    Indirect(Indirect&& other) : object_(std::in_place, std::move(*other)) {}
    /// Replaces the object.
    Indirect& operator=(Indirect other) noexcept {
        object_ = std::move(other.object_);
        return *this;
    }

    ///@{
    /// The object.
    T& operator*() { return *object_; }
    T const& operator*() const { return *object_; }
    T* operator->() { return &*object_; }
    T const* operator->() const { return &*object_; }
    ///@}

private:
    Owned<T> object_;
};

}  // namespace trotter
