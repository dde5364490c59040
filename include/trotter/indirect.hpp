// A value kept elsewhere, whose type need not be complete where the holder is defined.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/owned.hpp>

namespace trotter {

/// Behaves as the T that it owns: copies copy it, and none is ever without one. What `std::indirect` of C++26 is.
template <class T> class Indirect {
public:
    Indirect() : object_(std::in_place) {}
    Indirect(T object) : object_(std::in_place, std::move(object)) {}
    Indirect(Indirect const& other) : object_(std::in_place, *other) {}
    Indirect(Indirect&& other) : object_(std::in_place, std::move(*other)) {}
    Indirect& operator=(Indirect other) noexcept {
        object_ = std::move(other.object_);
        return *this;
    }

    T& operator*() { return *object_; }
    T const& operator*() const { return *object_; }
    T* operator->() { return &*object_; }
    T const* operator->() const { return &*object_; }

private:
    Owned<T> object_;
};

}  // namespace trotter
