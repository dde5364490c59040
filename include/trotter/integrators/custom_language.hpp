// What formulas of a CustomIntegrator have beyond those of forces: functions of vectors, derivatives, comparisons.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/expression/operation.hpp>
#include <trotter/expression/token.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter::custom_integrator {

/// Functions that see three components at once, in the order of their numbers.
enum class VectorFunction { cross, dot, vector, x, y, z };
inline constexpr std::array<expression::CustomFunction, 6> vector_functions{
    {{"cross", 2}, {"dot", 2}, {"vector", 3}, {"_x", 1}, {"_y", 1}, {"_z", 1}}};
/// Tabulated functions, and behind them functions of vectors where formulas differ from component to component.
inline std::vector<expression::CustomFunction> functions_of(std::vector<TabulatedFunction> const& tables,
                                                            bool of_particles) {
    auto result = formula_functions(tables);
    if (of_particles) result.insert(result.end(), vector_functions.begin(), vector_functions.end());
    return result;
}

/// What a name stands for that is "energy" or "f" with or without the number of a force group.
struct GroupName {
    bool is_one = false;
    int group = -1;  ///< -1: all that are integrated
};
constexpr GroupName group_name(std::string_view name, std::string_view stem) {
    if (!name.starts_with(stem)) return {};
    auto const digits = name.substr(stem.size());
    if (digits.empty()) return {true, -1};
    if (digits.size() > 9 || (digits.size() > 1 && digits[0] == '0')) return {};
    int group = 0;
    for (char const digit : digits) {
        if (digit < '0' || digit > '9') return {};
        group = 10 * group + (digit - '0');
    }
    return {true, group};
}
constexpr GroupName force_name(std::string_view name) { return group_name(name, "f"); }
constexpr GroupName energy_name(std::string_view name) { return group_name(name, "energy"); }

/// A name that no variable may take.
constexpr bool is_reserved(std::string_view name) {
    for (std::string_view const known : {"x", "v", "m", "dt", "uniform", "gaussian"})
        if (name == known) return true;
    return force_name(name).is_one || energy_name(name).is_one;
}

/// deriv(energy1, lambda) as a name: such a call has names for arguments, not values.
struct DerivativeName {
    static constexpr std::string_view stem = "deriv|";
    std::string energy, parameter;

    static bool is_one(std::string_view name) { return name.starts_with(stem); }
    explicit DerivativeName(std::string_view name) {
        auto const rest = name.substr(stem.size());
        auto const bar = rest.find('|');
        energy = rest.substr(0, bar);
        parameter = rest.substr(bar + 1);
    }
};

/// The formula with a name in place of each call of deriv, at the same columns.
inline std::string with_derivative_names(std::string text) {
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

enum class Comparison { equal, not_equal, less, less_or_equal, greater, greater_or_equal };

constexpr bool holds(double left, Comparison comparison, double right) {
    switch (comparison) {
    case Comparison::equal: return left == right;
    case Comparison::not_equal: return left != right;
    case Comparison::less: return left < right;
    case Comparison::less_or_equal: return left <= right;
    case Comparison::greater: return left > right;
    case Comparison::greater_or_equal: return left >= right;
    }
    return false;
}

/// Two formulas and what is between them.
struct Condition {
    std::string left, right;
    Comparison comparison{};

    /// The first comparison in the text counts. Throws InputError where there is none.
    explicit Condition(std::string const& text) {
        static constexpr std::array<std::pair<std::string_view, Comparison>, 6> known{
            {{"<=", Comparison::less_or_equal}, {">=", Comparison::greater_or_equal}, {"!=", Comparison::not_equal},
             {"<", Comparison::less}, {">", Comparison::greater}, {"=", Comparison::equal}}};
        auto const at = text.find_first_of("<>=!");
        for (auto const& [sign, meaning] : known)
            if (at != text.npos && std::string_view(text).substr(at).starts_with(sign)) {
                left = text.substr(0, at), right = text.substr(at + sign.size()), comparison = meaning;
                return;
            }
        throw InputError("the condition \"" + text + "\" has no comparison, expected one of = != < <= > >=");
    }
};

}  // namespace trotter::custom_integrator
