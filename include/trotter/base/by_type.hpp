// A tuple whose elements are accessed by type.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

namespace detail {
template <class T> struct OneOf {
    T value{};
};
}  // namespace detail

/// Like a `std::tuple` with `std::get<T>`, which for thirty types takes a sixth of this folder's compile time.
template <class... Ts> class ByType : detail::OneOf<Ts>... {
public:
    ///@{
    /// The object of type `T`.
    template <class T> T& get() { return static_cast<detail::OneOf<T>&>(*this).value; }
    template <class T> T const& get() const { return static_cast<detail::OneOf<T> const&>(*this).value; }
    ///@}
};

}  // namespace trotter
