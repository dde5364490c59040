// The interface of formulas, compiled into the program or given at run time.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace trotter {

namespace expression {
struct UnitView;
}

/// A value and N of its derivatives.
template <class T, std::size_t N>
struct EnergyAndSlopes {
    T energy{};  ///< [kJ/mol]
    std::array<T, N> slopes{};  ///< one for each argument
};

/// A formula has variables, in the order of their first appearance; evaluators for any arithmetic type, which return
/// energy and chosen slopes for a pointer to arguments in that order (`evaluator<double, "r">()`; it may have scratch
/// space: use one per thread); and its instructions, for translation to device code.
template <class F>
concept Formula = requires(F const& f, double const* arguments) {
    { f.names()[0] } -> std::convertible_to<std::string_view>;
    { f.names().size() } -> std::convertible_to<std::size_t>;
    { f.formula() } -> std::convertible_to<std::string_view>;
    { f.template evaluator<double>()(arguments).energy } -> std::convertible_to<double>;
    { f.unit() } -> std::same_as<expression::UnitView>;
};

}  // namespace trotter
