// A formula as a member of a force: parsed only when a backend or a user evaluates it.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <trotter/base/fixed_string.hpp>
#include <trotter/expression/formula.hpp>

namespace trotter {
namespace expression {
/// The compiled formula. Defined in `expression.hpp`, which every backend includes.
template <FixedString text>
class Native;
}  // namespace expression

/// A formula known to the compiler, in the language of `expression/parse.hpp`. Malformed text is a compile error that
/// names the problem and its column. Value and slopes have the same bits whichever slopes are requested.
template <FixedString text>
struct Expression {
    /// The text.
    static constexpr std::string_view formula() { return text.view(); }

    /// The variables that the formula depends on, in the order of their first appearance in the text.
    static constexpr auto names() { return Native::names(); }
    static constexpr std::size_t size = expression::Native<text>::size;  ///< number of arguments

    /// The value and its derivative by each variable; `arguments` are in the order of `names()`.
    template <class T, std::size_t N>
        requires(N == size)
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, N> energy_and_slopes(std::array<T, N> const& arguments) {
        return Native::template energy_and_slopes<T>(arguments.data());
    }

    /// The value and its derivatives by the chosen variables only, in the order chosen (0 for one that is not in the
    /// formula): `energy_and_slopes_of<"r">(arguments)`.
    template <FixedString... chosen, class T, std::size_t N>
        requires(N == size)
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, sizeof...(chosen)> energy_and_slopes_of(std::array<T, N> const& arguments) {
        return Native::template energy_and_slopes_of<T, chosen...>(arguments.data());
    }

    /// A function object of `arguments` (`size` or more) that returns energy and chosen slopes, if any.
    template <class T, FixedString... chosen>
    static constexpr auto evaluator() {
        return [](T const* arguments) { return Native::template energy_and_slopes_of<T, chosen...>(arguments); };
    }

    /// The instructions, for translation.
    static constexpr auto unit() { return Native::unit(); }

private:
    using Native = expression::Native<text>;
};

}  // namespace trotter
