// A value kept elsewhere, whose type need not be complete where the holder is defined.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

namespace trotter {

/// Behaves as the T that it holds: copies copy it. What `std::indirect` of C++26 is.
template <class T> class Indirect {
public:
    Indirect() : object_(new T()) {}
    Indirect(T object) : object_(new T(std::move(object))) {}
    Indirect(Indirect const& other) : object_(new T(*other.object_)) {}
    Indirect(Indirect&& other) : object_(new T(std::move(*other.object_))) {}
    Indirect& operator=(Indirect other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Indirect() { delete object_; }

    T& operator*() { return *object_; }
    T const& operator*() const { return *object_; }
    T* operator->() { return object_; }
    T const* operator->() const { return object_; }

private:
    T* object_;
};

}  // namespace trotter
