// Adds strain arguments to the functions in a formula that use minimum images.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/common/forces/function_images.hpp>
#include <trotter/expression/token.hpp>

namespace trotter {

/// Returns the formula with `operands` appended to each call of these functions.
static std::string with_operands(std::string_view formula, std::vector<expression::CustomFunction> const& functions,
                                 std::string const& operands) {
    using expression::Token;
    auto const is_meant = [&](Token const& token) {
        auto const word = formula.substr(static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.length));
        auto const name = word.substr(word.find_last_of(";=") + 1);  // a word may include an earlier definition
        return token.kind == Token::function
               && std::any_of(functions.begin(), functions.end(), [&](auto const& f) { return f.name == name; });
    };
    std::string result;
    std::vector<bool> closes_call;  // per open parenthesis
    bool begins_call = false;
    std::size_t end = 0;
    expression::Lexer lexer(formula, 0, static_cast<int>(formula.size()));
    for (auto token = lexer.take(); token.kind != Token::end; token = lexer.take()) {
        if (token.is('(')) closes_call.push_back(begins_call);
        if (token.is(')')) {
            auto const here = static_cast<std::size_t>(token.begin);
            if (closes_call.back()) result.append(formula.substr(end, here - end)).append(operands), end = here;
            closes_call.pop_back();
        }
        begins_call = is_meant(token);
    }
    return result.append(formula.substr(end));
}

RuntimeExpression with_strain(RuntimeFormula const& formula, std::vector<expression::CustomFunction> const& images) {
    auto functions = formula.tables().formula_functions();
    auto own = images;
    std::string operands;
    // Names of users contain no colon.
    for (int n = 0; n < 9; ++n) operands += ", strain:" + std::to_string(n);
    auto called = own;
    std::erase_if(called, [&](auto const& function) {  // a table of the same name takes precedence
        return std::any_of(functions.begin(), functions.end(),
                           [&](auto const& table) { return table.name == function.name; });
    });
    auto text = with_operands(formula.expression().formula(), called, operands);
    for (auto& function : own) {
        function.arguments += 9;
        functions.push_back(function);
    }
    return {std::move(text), AnyName{}, functions};
}

}  // namespace trotter
