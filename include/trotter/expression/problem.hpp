// Errors in formulas and their positions; no text, so that compilers can print them as template arguments.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::expression {

/// The kinds of malformed expressions.
enum class Malformed {
    no,
    expression_ends_too_early,
    unexpected_character,
    unknown_function,
    wrong_number_of_arguments,
    parenthesis_is_never_closed,
    text_after_the_end,
    definition_has_no_name,
    unknown_name,
    nested_too_deep,
    too_large,
};

/// The first error found. Columns count from 1; the error spans `length` characters.
struct Problem {
    Malformed kind = Malformed::no;  ///< sort of error
    int column = 0;  ///< of the first character of the error, from 1
    int length = 0;  ///< the error spans `length` characters
    int expected = 0;  ///< arguments that the function takes
    int given = 0;     ///< arguments that it was given
};

inline constexpr int deepest_nesting = 256;        ///< parentheses, functions, minus signs and powers within each other
inline constexpr int most_parsed_nodes = 10'000;   ///< distinct operations that an expression may have
inline constexpr int most_unit_nodes = 200'000;    ///< the same, with all of its derivatives

}  // namespace trotter::expression
