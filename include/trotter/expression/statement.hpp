// A formula as a force states it: nothing is parsed before a backend or a user asks for its value.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <trotter/base/fixed_string.hpp>
#include <trotter/expression/formula.hpp>

namespace trotter {
namespace expression {
/// What the compiler makes of the text. Defined in `expression.hpp`, which every backend includes.
template <FixedString text>
class Native;
}  // namespace expression

/// A formula known to the compiler, in the language of `expression/parse.hpp`. Malformed text is a compile error that names
/// the problem and its column. All bits of value and slopes are the same whichever slopes are asked for.
template <FixedString text>
struct Expression {
    /// The text.
    static constexpr std::string_view formula() { return text.view(); }

    /// The variables that the formula depends on, in the order in which they first stand in the text.
    static constexpr auto names() { return Native::names(); }
    static constexpr std::size_t size = expression::Native<text>::size;  ///< number of arguments

    /// The value and its derivative by each variable; `arguments` are in the order of `names()`.
    template <class T, std::size_t N>
        requires(N == size)
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, N> energy_and_slopes(std::array<T, N> const& arguments) {
        return Native::template energy_and_slopes<T>(arguments.data());
    }

    /// The value and its derivatives by the chosen variables only, in the order chosen (0 for one that is no variable of
    /// the formula): `energy_and_slopes_of<"r">(arguments)`.
    template <FixedString... chosen, class T, std::size_t N>
        requires(N == size)
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, sizeof...(chosen)> energy_and_slopes_of(std::array<T, N> const& arguments) {
        return Native::template energy_and_slopes_of<T, chosen...>(arguments.data());
    }

    /// A function object of `arguments` (at least `size` of them) with energy and chosen slopes; energy alone if none is chosen.
    template <class T, FixedString... chosen>
    static constexpr auto evaluator() {
        return [](T const* arguments) { return Native::template energy_and_slopes_of<T, chosen...>(arguments); };
    }

    /// The instructions, for those who translate them.
    static constexpr auto unit() { return Native::unit(); }

private:
    using Native = expression::Native<text>;
};

}  // namespace trotter
