// SPDX-License-Identifier: MIT
#include "app/selection/tokens.hpp"

#include <cctype>
#include <string_view>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

namespace trotter::app {

void refuse_selection(std::string const& text, std::size_t column, std::string const& what) {
    throw InputError("selection " + in_quotes(text, 200) + ", column " + std::to_string(column) + ": " + what);
}

std::string in_lower_case(std::string text) {
    for (auto& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

std::vector<Token> tokens_of(std::string const& text) {
    constexpr std::string_view spaces = " \t\r\n", signs = "=!<>";
    std::vector<Token> tokens;
    auto add = [&](Token::Kind kind, std::size_t begin, std::size_t end, std::size_t at) {
        tokens.push_back({kind, text.substr(begin, end - begin), at + 1});
    };
    for (std::size_t at = 0; at < text.size();) {
        char const letter = text[at];
        if (spaces.find(letter) != spaces.npos) {
            ++at;
        } else if (letter == '(' || letter == ')') {
            add(letter == '(' ? Token::Kind::open : Token::Kind::close, at, at + 1, at);
            ++at;
        } else if (letter == '"') {
            auto const end = text.find('"', at + 1);
            if (end == text.npos) refuse_selection(text, at + 1, "the quotation mark is not closed");
            add(Token::Kind::quoted, at + 1, end, at);
            at = end + 1;
        } else if (signs.find(letter) != signs.npos) {
            auto const end = at + (text.substr(at + 1, 1) == "=" ? 2 : 1);
            add(Token::Kind::comparison, at, end, at);
            at = end;
        } else {
            auto const end = std::min(text.find_first_of(" \t\r\n()\"=!<>", at), text.size());
            add(Token::Kind::word, at, end, at);
            at = end;
        }
    }
    tokens.push_back({Token::Kind::end, "", text.size() + 1});
    return tokens;
}

}  // namespace trotter::app
