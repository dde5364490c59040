// The words of a selection.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace trotter::app {

/// A word of a selection, and where it begins.
struct Token {
    enum class Kind { word, quoted, open, close, comparison, end };
    Kind kind;
    std::string text;    ///< without quotation marks
    std::size_t column;  ///< from 1
};

/// Throws the InputError of a selection that gives the column.
[[noreturn]] void refuse_selection(std::string const& text, std::size_t column, std::string const& what);

/// The tokens of a text; the last one is its end. Throws InputError for a quotation mark that is not closed.
std::vector<Token> tokens_of(std::string const& text);

/// Letters of the Roman alphabet in lower case.
std::string in_lower_case(std::string text);

}  // namespace trotter::app
