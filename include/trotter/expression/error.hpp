// The exception for malformed expressions, and its message.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/expression/operation.hpp>
#include <trotter/expression/problem.hpp>

namespace trotter {

/// A malformed expression; the message contains the error, its column and text, and the known names.
struct ExpressionError : InputError {
    /// `message` shows the text; `found` is the first error in it.
    ExpressionError(std::string const& message, expression::Problem const& found)
        : InputError{message}, problem{found} {}
    expression::Problem problem;  ///< kind and position of the error
};

namespace expression {

/// At most 80 characters of `text` around a column, in quotes.
inline std::string quoted(std::string_view text, int column) {
    constexpr std::size_t most = 80;
    if (text.size() <= most) return '"' + std::string{text} + '"';
    auto const at = static_cast<std::size_t>(column > 0 ? column - 1 : 0);
    auto begin = at > most / 2 ? at - most / 2 : 0;
    if (begin + most > text.size()) begin = text.size() - most;
    return '"' + std::string{begin > 0 ? "..." : ""} + std::string{text.substr(begin, most)} +
           (begin + most < text.size() ? "..." : "") + '"';
}

/// A list of names, separated by commas.
template <class List, class NameOf>
std::string listed(List const& list, NameOf const& name_of) {
    std::string text;
    for (auto const& item : list) text += (text.empty() ? "" : ", ") + std::string{name_of(item)};
    return text.empty() ? "none" : text;
}

/// The error as a part of a sentence; `excerpt` is the text that it spans.
inline std::string what_is_wrong(Problem const& problem, std::string_view excerpt) {
    auto const name = '\'' + std::string{excerpt.substr(0, 60)} + '\'';
    auto const limit = [](int n) { return std::to_string(n); };
    switch (problem.kind) {
    case Malformed::expression_ends_too_early: return "the expression ends too early";
    case Malformed::unexpected_character: return "unexpected " + name;
    case Malformed::unknown_function: return "unknown function " + name;
    case Malformed::wrong_number_of_arguments:
        return "function " + name + " takes " + std::to_string(problem.expected) +
               (problem.expected == 1 ? " argument, not " : " arguments, not ") + std::to_string(problem.given);
    case Malformed::parenthesis_is_never_closed: return "this parenthesis is never closed";
    case Malformed::text_after_the_end: return "unexpected " + name + " after the end of the expression";
    case Malformed::definition_has_no_name: return "a definition must read name = expression, not " + name;
    case Malformed::unknown_name: return "unknown name " + name;
    case Malformed::nested_too_deep: return "nested more than " + limit(deepest_nesting) + " deep";
    case Malformed::too_large: return "more than " + limit(most_parsed_nodes) + " different operations";
    case Malformed::no: break;
    }
    return "nothing is wrong";
}

/// The whole message, for example: unknown name 'q' at column 1 of "q*r"; known: r, k
template <class Names, class Functions>
std::string sentence(Problem const& problem, std::string_view text, Names const& known_names, Functions const& functions) {
    auto const begin = static_cast<std::size_t>(problem.column > 0 ? problem.column - 1 : 0);
    auto message = what_is_wrong(problem, text.substr(begin, static_cast<std::size_t>(problem.length))) + " at column " +
                   std::to_string(problem.column) + " of " + quoted(text, problem.column);
    if (problem.kind == Malformed::unknown_name)
        message += "; known: " + listed(known_names, [](auto const& name) { return std::string_view{name}; });
    if (problem.kind == Malformed::unknown_function) {
        message += "; known: " + listed(named_functions, [](auto const& f) { return f.name; });
        if (!functions.empty()) message += ", " + listed(functions, [](auto const& f) { return f.name; });
    }
    return message;
}

}  // namespace expression
}  // namespace trotter
