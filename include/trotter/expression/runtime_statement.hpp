// A formula given at run time; does not include the compiler of formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/fixed_string.hpp>
#include <trotter/expression/operation.hpp>
#include <trotter/expression/unit.hpp>

namespace trotter {
namespace expression {
struct NoCustomFunctions;
}  // namespace expression

/// Tag: a formula may have variables of any name.
struct AnyName {};

/// A formula known at run time only. Cheap to copy; immutable. Construction and evaluation need
/// `expression/runtime_expression.hpp`, which every backend includes.
class RuntimeExpression {
public:
    /// The formula "0", which a Context refuses as the energy of a force that was not set.
    RuntimeExpression() = default;
    /// Whether a formula was given.
    bool is_set() const { return !program_.code.empty(); }

    /// Any name is a variable, and text converts to a formula: `.energy = "k*r^2"`. Throws ExpressionError.
    RuntimeExpression(std::string formula) : RuntimeExpression(std::move(formula), AnyName{}, {}) {}
    /// The same.
    RuntimeExpression(char const* formula) : RuntimeExpression(std::string(formula)) {}
    RuntimeExpression(std::nullptr_t) = delete;  ///< nor 0: a formula is text
    /// Compiles a formula with any names. Throws ExpressionError.
    RuntimeExpression(std::string formula, AnyName, std::vector<expression::CustomFunction> const& functions);
    /// A name that is not among `known` is an error. Throws ExpressionError.
    RuntimeExpression(std::string formula, std::vector<std::string> const& known,
                      std::vector<expression::CustomFunction> const& functions = {});

    /// The variables that the formula depends on, in the order of their first appearance in the text.
    std::vector<std::string> const& names() const { return names_; }
    /// The text; "0" if no formula was set.
    std::string const& formula() const { return formula_; }

    /// The value; its derivatives by each variable go to `slopes`. Arguments and slopes are in the order of `names()`.
    template <class T, class Custom = expression::NoCustomFunctions>
    T energy_and_slopes(std::span<T const> arguments, std::span<T> slopes, Custom const& custom = {}) const;

    /// A function object of a pointer to arguments, as `Expression::evaluator`. It has scratch space: one per thread.
    template <class T, FixedString... chosen>
    auto evaluator() const;

    /// The instructions, for translation.
    expression::UnitView unit() const;

    /// Index of the slope by `name` among the unit's outputs, or -1.
    int slope_output(std::string_view name) const {
        for (std::size_t n = 0; n < names_.size(); ++n)
            if (names_[n] == name) return 1 + static_cast<int>(n);
        return -1;
    }

    /// Compares the texts.
    friend bool operator==(RuntimeExpression const& a, RuntimeExpression const& b) { return a.formula_ == b.formula_; }

private:
    void build(std::vector<expression::CustomFunction> const& functions, std::vector<std::string> const* known);

    std::string formula_ = "0";
    std::vector<std::string> names_;
    expression::Program program_;  // empty if no formula was set
};

}  // namespace trotter
