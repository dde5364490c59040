// What every formula offers, whether the compiler knows it or a user typed it.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace trotter {

/// A value and N of its derivatives.
template <class T, std::size_t N>
struct EnergyAndSlopes {
    T energy{};
    std::array<T, N> slopes{};
};

/// A formula has variables, whose names stand in the order of their first appearance; it gives its text back.
template <class F>
concept Formula = requires(F const& f) {
    { f.names()[0] } -> std::convertible_to<std::string_view>;
    { f.names().size() } -> std::convertible_to<std::size_t>;
    { f.formula() } -> std::convertible_to<std::string_view>;
};

}  // namespace trotter
