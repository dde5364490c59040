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
#include <trotter/expression/fixed_string.hpp>
#include <trotter/expression/formula.hpp>
#include <trotter/expression/program.hpp>
#include <utility>
#include <vector>

namespace trotter {

/// Says that a formula may have variables of any name.
struct AnyName {};

/// A formula known at run time only. Copies are cheap enough to keep one in every force; the object never changes.
class RuntimeExpression {
public:
    /// The formula "0".
    RuntimeExpression() : RuntimeExpression{"0"} {}

    /// Any name is a variable. Throws ExpressionError.
    explicit RuntimeExpression(std::string formula) : RuntimeExpression{std::move(formula), AnyName{}, {}} {}
    RuntimeExpression(std::string formula, AnyName, std::vector<expression::CustomFunction> const& functions)
        : formula_{std::move(formula)} {
        build(functions, nullptr);
    }
    /// A name that is not among `known` is an error. Throws ExpressionError.
    RuntimeExpression(std::string formula, std::vector<std::string> const& known,
                      std::vector<expression::CustomFunction> const& functions = {})
        : formula_{std::move(formula)} {
        build(functions, &known);
    }

    /// The variables that the formula depends on, in the order in which they first stand in the text.
    std::vector<std::string> const& names() const { return names_; }
    std::string const& formula() const { return formula_; }
    bool depends_on(std::string_view name) const { return slope_output(name) >= 0; }

    /// The value; its derivatives by each variable go to `slopes`. Arguments and slopes are in the order of `names()`.
    template <class T, class Custom = expression::NoCustomFunctions>
    T energy_and_slopes(std::span<T const> arguments, std::span<T> slopes, Custom const& custom = {}) const {
        Evaluator<T> evaluate{*this};
        return evaluate(arguments.data(), slopes.data(), custom);
    }

    /// A function object of a pointer to arguments, as `Expression::evaluator`. It has scratch space: one for each thread.
    template <class T, FixedString... chosen>
    auto evaluator() const {
        return [evaluate = Evaluator<T>{*this, std::array<std::string_view, sizeof...(chosen)>{chosen.view()...}}](T const* arguments) mutable {
            EnergyAndSlopes<T, sizeof...(chosen)> result;
            result.energy = evaluate(arguments, result.slopes.data());
            return result;
        };
    }

    /// The instructions, for those who translate them.
    expression::UnitView unit() const { return {program_.code, program_.outputs, program_.calls}; }

    /// The index among the unit's outputs of the slope by `name`, or -1.
    int slope_output(std::string_view name) const {
        auto const found = std::find(names_.begin(), names_.end(), name);
        return found == names_.end() ? -1 : 1 + static_cast<int>(found - names_.begin());
    }

    friend bool operator==(RuntimeExpression const& a, RuntimeExpression const& b) { return a.formula_ == b.formula_; }

private:
    void build(std::vector<expression::CustomFunction> const& functions, std::vector<std::string> const* known) {
        auto compiled = expression::compile(formula_, functions);
        auto problem = compiled.problem;
        for (auto const& [begin, length] : compiled.names) {
            names_.push_back(formula_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)));
            if (known && problem.kind == expression::Malformed::no && std::find(known->begin(), known->end(), names_.back()) == known->end())
                problem = {expression::Malformed::unknown_name, begin + 1, length};
        }
        if (problem.kind != expression::Malformed::no)
            throw ExpressionError{expression::sentence(problem, formula_, known ? *known : std::vector<std::string>{}, functions), problem};
        program_ = std::move(compiled.program);
    }

    std::string formula_;
    std::vector<std::string> names_;
    expression::Program program_;
};

}  // namespace trotter
