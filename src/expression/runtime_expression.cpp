// Parses, simplifies and differentiates formulas given at run time.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/expression/program.hpp>
#include <trotter/expression/runtime_expression.hpp>

namespace trotter {

RuntimeExpression::RuntimeExpression(std::string formula, AnyName,
                                     std::vector<expression::CustomFunction> const& functions)
    : formula_{std::move(formula)} {
    build(functions, nullptr);
}
RuntimeExpression::RuntimeExpression(std::string formula, std::vector<std::string> const& known,
                                     std::vector<expression::CustomFunction> const& functions)
    : formula_{std::move(formula)} {
    build(functions, &known);
}

expression::UnitView RuntimeExpression::unit() const {
    static expression::Program const zero{{expression::Instruction{expression::Op::constant}}, {0}, {}};
    auto const& program = program_.code.empty() ? zero : program_;
    return {program.code, program.outputs, program.calls};
}

void RuntimeExpression::build(std::vector<expression::CustomFunction> const& functions,
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
