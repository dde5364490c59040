// Splits text into tokens: numbers, names, functions and single characters.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <trotter/base/number.hpp>

namespace trotter::expression {

/// ASCII white space.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A piece of the text. A function is a name followed directly by '(', which is not part of the token.
struct Token {
    /// Sorts of token.
    enum Kind : unsigned char { end, number, name, function, symbol };
    Kind kind = end;  ///< sort of token
    char character = 0;  ///< of a symbol
    int begin = 0;  ///< first character in the text
    int length = 0;  ///< in characters

    /// Whether it is this symbol.
    constexpr bool is(char c) const { return kind == symbol && character == c; }
};

/// Reads tokens from text[begin, end). It never fails: the parser refuses malformed tokens.
class Lexer {
public:
    constexpr Lexer() = default;
    /// The tokens of text[begin, end)
    constexpr Lexer(std::string_view text, int begin, int end) : text_{text}, position_{begin}, end_{end} { scan(); }

    /// The next token, without taking it.
    constexpr Token const& peek() const { return next_; }
    /// Takes the next token.
    constexpr Token take() {
        auto const token = next_;
        scan();
        return token;
    }
    /// Takes the next token if it is this symbol.
    constexpr bool take_if(char c) {
        if (!next_.is(c)) return false;
        scan();
        return true;
    }

private:
    static constexpr bool is_symbol(char c) {
        return c == '+' || c == '-' || c == '*' || c == '/' || c == '^' || c == '(' || c == ')' || c == ',';
    }
    constexpr char at(int i) const { return i < end_ ? text_[static_cast<std::size_t>(i)] : '\0'; }

    constexpr void scan() {
        while (position_ < end_ && is_space(at(position_))) ++position_;
        int const begin = position_;
        if (begin == end_) {
            next_ = {Token::end, 0, begin, 0};
            return;
        }
        char const c = at(begin);
        Token::Kind kind = Token::symbol;
        if (is_symbol(c)) position_ = begin + 1;
        else if (is_digit(c) || c == '.') kind = Token::number, position_ = end_of_number(begin);
        else {
            while (position_ < end_ && !is_symbol(at(position_)) && !is_space(at(position_))) ++position_;
            kind = at(position_) == '(' ? Token::function : Token::name;
        }
        next_ = {kind, c, begin, position_ - begin};
    }

    // Takes one point and one exponent: malformed numbers ("1e", "1e5.5") are one token, as in Lepton.
    constexpr int end_of_number(int i) const {
        bool point = false, exponent = false;
        for (;; ++i) {
            char const c = at(i);
            if (c == '.' && !point) point = true;
            else if ((c == 'e' || c == 'E') && !exponent) {
                exponent = true;
                if (at(i + 1) == '-' || at(i + 1) == '+') ++i;
            } else if (!is_digit(c)) return i;
        }
    }

    std::string_view text_;
    int position_ = 0;
    int end_ = 0;
    Token next_;
};

}  // namespace trotter::expression
