// Formulas given at run time, in the language of Expression, evaluated by a register program.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string_view>

#include <trotter/expression/error.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/formula.hpp>
#include <trotter/expression/runtime_statement.hpp>

namespace trotter {

template <class T, class Custom>
T RuntimeExpression::energy_and_slopes(std::span<T const> arguments, std::span<T> slopes, Custom const& custom) const {
    Evaluator<T> evaluate{*this};
    return evaluate(arguments.data(), slopes.data(), custom);
}
template <class T, FixedString... chosen>
auto RuntimeExpression::evaluator() const {
    return [evaluate = Evaluator<T>{*this, std::array<std::string_view, sizeof...(chosen)>{chosen.view()...}}](
               T const* arguments) mutable {
        EnergyAndSlopes<T, sizeof...(chosen)> result;
        result.energy = evaluate(arguments, result.slopes.data());
        return result;
    };
}

}  // namespace trotter
