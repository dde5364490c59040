// Formulas that a user types or a file holds: the language of Expression, evaluated by a register program.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <trotter/expression/error.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/formula.hpp>
#include <trotter/expression/program.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <utility>
#include <vector>

namespace trotter {

inline RuntimeExpression::RuntimeExpression(std::string formula)
    : RuntimeExpression{std::move(formula), AnyName{}, {}} {}
inline RuntimeExpression::RuntimeExpression(std::string formula, AnyName,
                                            std::vector<expression::CustomFunction> const& functions)
    : formula_{std::move(formula)} {
    build(functions, nullptr);
}
inline RuntimeExpression::RuntimeExpression(std::string formula, std::vector<std::string> const& known,
                                            std::vector<expression::CustomFunction> const& functions)
    : formula_{std::move(formula)} {
    build(functions, &known);
}

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

inline expression::UnitView RuntimeExpression::unit() const {
    static expression::Program const zero{{expression::Instruction{expression::Op::constant}}, {0}, {}};
    auto const& program = program_.code.empty() ? zero : program_;
    return {program.code, program.outputs, program.calls};
}

inline void RuntimeExpression::build(std::vector<expression::CustomFunction> const& functions,
                                     std::vector<std::string> const* known) {
    auto compiled = expression::compile(formula_, functions);
    auto problem = compiled.problem;
    for (auto const& [begin, length] : compiled.names) {
        names_.push_back(formula_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)));
        if (known && problem.kind == expression::Malformed::no
            && std::find(known->begin(), known->end(), names_.back()) == known->end())
            problem = {expression::Malformed::unknown_name, begin + 1, length};
    }
    if (problem.kind != expression::Malformed::no)
        throw ExpressionError{
            expression::sentence(problem, formula_, known ? *known : std::vector<std::string>{}, functions), problem};
    program_ = std::move(compiled.program);
}

}  // namespace trotter
