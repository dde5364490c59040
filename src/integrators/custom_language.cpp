// Formula features of CustomIntegrator that forces do not have.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/expression/token.hpp>
#include <trotter/integrators/custom_language.hpp>

namespace trotter::custom_integrator {

std::vector<expression::CustomFunction> functions_of(std::vector<TabulatedFunction> const& tables, bool of_particles) {
    auto result = formula_functions(tables);
    if (of_particles) result.insert(result.end(), vector_functions.begin(), vector_functions.end());
    return result;
}

DerivativeName::DerivativeName(std::string_view name) {
    auto const rest = name.substr(stem.size());
    auto const bar = rest.find('|');
    energy = rest.substr(0, bar);
    parameter = rest.substr(bar + 1);
}

std::string with_derivative_names(std::string text) {
    using expression::Lexer, expression::Token;
    Lexer lexer(text, 0, static_cast<int>(text.size()));
    auto const word = [&](Token const& token) {
        return text.substr(static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.length));
    };
    std::string result = text;
    for (auto token = lexer.take(); token.kind != Token::end; token = lexer.take()) {
        if (token.kind != Token::function || word(token) != "deriv") continue;
        auto const opening = lexer.take(), energy = lexer.take(), comma = lexer.take(), parameter = lexer.take(),
                   closing = lexer.take();
        if (!opening.is('(') || energy.kind != Token::name || !comma.is(',') || parameter.kind != Token::name
            || !closing.is(')'))
            throw InputError("deriv at column " + std::to_string(token.begin + 1) + " of \"" + text
                             + "\" expects an energy and the name of a parameter, such as deriv(energy, lambda)");
        auto name = std::string(DerivativeName::stem) + word(energy) + '|' + word(parameter);
        auto const begin = static_cast<std::size_t>(token.begin);
        name.resize(static_cast<std::size_t>(closing.begin) + 1 - begin, ' ');
        result.replace(begin, name.size(), name);
    }
    return result;
}

Condition::Condition(std::string const& text) {
    static constexpr std::array<std::pair<std::string_view, Comparison>, 6> known{{{"<=", Comparison::less_or_equal},
                                                                                   {">=", Comparison::greater_or_equal},
                                                                                   {"!=", Comparison::not_equal},
                                                                                   {"<", Comparison::less},
                                                                                   {">", Comparison::greater},
                                                                                   {"=", Comparison::equal}}};
    auto const at = text.find_first_of("<>=!");
    for (auto const& [sign, meaning] : known)
        if (at != text.npos && std::string_view(text).substr(at).starts_with(sign)) {
            left = text.substr(0, at), right = text.substr(at + sign.size()), comparison = meaning;
            return;
        }
    throw InputError("the condition \"" + text + "\" has no comparison, expected one of = != < <= > >=");
}

}  // namespace trotter::custom_integrator
