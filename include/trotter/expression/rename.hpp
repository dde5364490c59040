// Renames the variables of a formula, to substitute it into another.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/token.hpp>

namespace trotter::expression {

/// The text of a valid formula with `rename(name)` for each variable, and `mark` appended to the names that it defines,
/// so that they differ from names of an enclosing formula.
template <class Rename>
std::string renamed(std::string_view formula, Rename const& rename, std::string const& mark) {
    std::vector<std::string_view> parts, defined;
    for (std::size_t begin = 0; begin <= formula.size();) {
        auto const end = std::min(formula.find(';', begin), formula.size());
        parts.push_back(formula.substr(begin, end - begin));
        begin = end + 1;
    }
    auto const with_names = [&](std::string_view text) {
        auto const between = [text](int from, int to) {
            return text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
        };
        std::string result;
        int end = 0;
        Lexer lexer(text, 0, static_cast<int>(text.size()));
        for (auto token = lexer.take(); token.kind != Token::end; token = lexer.take()) {
            auto const word = between(token.begin, token.begin + token.length);
            result += between(end, token.begin);
            bool const is_own = std::find(defined.begin(), defined.end(), word) != defined.end();
            if (token.kind != Token::name)
                result += word;
            else
                result += is_own ? std::string(word) + mark : rename(word);
            end = token.begin + token.length;
        }
        return result;
    };
    std::string result;  // from the last definition to the first: each may use those after it
    for (std::size_t n = parts.size(); n-- > 0;) {
        auto const equals = parts[n].find('=');
        if (n == 0) {
            result = with_names(parts[0]) + result;
        } else if (equals != std::string_view::npos) {
            auto name = parts[n].substr(0, equals);
            while (!name.empty() && is_space(name.front())) name.remove_prefix(1);
            while (!name.empty() && is_space(name.back())) name.remove_suffix(1);
            result = "; " + std::string(name) + mark + " = " + with_names(parts[n].substr(equals + 1)) + result;
            defined.push_back(name);
        }
    }
    return result;
}

}  // namespace trotter::expression
