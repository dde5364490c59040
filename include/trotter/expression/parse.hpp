// Parses formulas into trees, in Lepton's grammar, which OpenMM uses.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/number.hpp>
#include <trotter/expression/operation.hpp>
#include <trotter/expression/problem.hpp>
#include <trotter/expression/token.hpp>
#include <trotter/expression/tree.hpp>

namespace trotter::expression {

/// A variable's name, as its first occurrence in the text.
struct Name {
    int begin = 0;  ///< first character
    int length = 0;  ///< in characters
};

/// Result of the parser. If `problem` is set, the rest is invalid.
struct Parsed {
    Tree tree{most_parsed_nodes};  ///< of all nodes
    int root = 0;  ///< node of the energy
    std::vector<Name> names;  ///< by the index in `Op::variable` nodes
    Problem problem;  ///< the first error in the text
};

/// expression := sum { ';' [name '=' sum] }; a definition may use those to its right.
class Parser {
public:
    /// `text` must outlive the parser.
    constexpr explicit Parser(std::string_view text, std::span<CustomFunction const> functions = {})
        : text_{text}, functions_{functions} {}

    /// Parses the whole text; to be called once.
    constexpr Parsed parse() {
        std::vector<int> segments{0};
        for (int i = 0; i < static_cast<int>(text_.size()); ++i)
            if (text_[static_cast<std::size_t>(i)] == ';') segments.push_back(i + 1);
        int end = static_cast<int>(text_.size());
        for (auto s = segments.size(); s-- > 1 && ok();) {
            definition(segments[s], end);
            end = segments[s] - 1;
        }
        if (ok()) parsed_.root = whole(0, end);
        return std::move(parsed_);
    }

private:
    struct Definition {
        std::string_view name;
        int node = 0;
    };

    constexpr void definition(int begin, int end) {
        while (begin < end && is_space(at(begin))) ++begin;
        if (begin == end) return;
        int equals = begin;
        while (equals < end && at(equals) != '=') ++equals;
        int last = equals;
        while (last > begin && is_space(at(last - 1))) --last;
        if (equals == end || last == begin) return fail(Malformed::definition_has_no_name, begin, end - begin);
        if (definitions_.size() >= most_parsed_nodes) return fail(Malformed::too_large, begin, end - begin);
        auto const name = text_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(last - begin));
        int const node = whole(equals + 1, end);
        definitions_.push_back({name, node});
    }

    constexpr int whole(int begin, int end) {
        lexer_ = Lexer{text_, begin, end};
        int const node = sum(0);
        if (auto const rest = lexer_.peek(); ok() && rest.kind != Token::end) fail(Malformed::text_after_the_end, rest);
        return node;
    }

    static constexpr int minus_precedence = 2;  // -a*b is (-a)*b, but -a^b is -(a^b)
    static constexpr int precedence(Token const& token) {
        if (token.kind != Token::symbol) return -1;
        switch (token.character) {
        case '+': case '-': return 0;
        case '*': case '/': return 1;
        case '^': return 3;
        default: return -1;
        }
    }

    // Precedence climbing: operators that bind at least as tightly as `least`.
    constexpr int sum(int least) {
        if (++depth_ > deepest_nesting) return fail(Malformed::nested_too_deep, lexer_.peek()), 0;
        int left = operand();
        while (ok()) {
            auto const token = lexer_.peek();
            int const binds = precedence(token);
            if (binds < least) break;
            lexer_.take();
            int const right = sum(token.character == '^' ? binds : binds + 1);
            left = make({binary(token.character), left, right}, token);
        }
        --depth_;
        return left;
    }
    static constexpr Op binary(char symbol) {
        switch (symbol) {
        case '+': return Op::add;
        case '-': return Op::subtract;
        case '*': return Op::multiply;
        case '/': return Op::divide;
        default: return Op::power;
        }
    }

    constexpr int operand() {
        auto const token = lexer_.take();
        switch (token.kind) {
        case Token::number: return make({Op::constant, -1, -1, -1, parse_number(text(token))}, token);
        case Token::name: return name(token);
        case Token::function: return call(token);
        case Token::end: return fail(Malformed::expression_ends_too_early, token), 0;
        case Token::symbol: break;
        }
        if (token.character == '-') {
            int const operand = sum(minus_precedence);
            return make({Op::negate, operand}, token);
        }
        if (token.character != '(') return fail(Malformed::unexpected_character, token), 0;
        int const inner = sum(0);
        close(token);
        return inner;
    }

    constexpr void close(Token const& opening) {
        auto const token = lexer_.take();
        if (ok() && !token.is(')')) fail(Malformed::parenthesis_is_never_closed, opening);
    }

    constexpr int name(Token const& token) {
        auto const wanted = text(token);
        for (auto i = definitions_.size(); i-- > 0;)
            if (definitions_[i].name == wanted) return definitions_[i].node;
        auto& names = parsed_.names;
        std::size_t i = 0;
        while (i < names.size() && text({Token::name, 0, names[i].begin, names[i].length}) != wanted) ++i;
        if (i == names.size()) names.push_back({token.begin, token.length});
        if (token.begin < names[i].begin) names[i].begin = token.begin;
        return make({Op::variable, static_cast<int>(i)}, token);
    }

    constexpr int call(Token const& token) {
        auto const opening = lexer_.take();
        std::vector<int> arguments;
        do arguments.push_back(sum(0));
        while (ok() && lexer_.take_if(','));
        close(opening);
        if (!ok()) return 0;
        int const given = static_cast<int>(arguments.size());
        auto const wanted = text(token);
        for (std::size_t f = 0; f < functions_.size(); ++f)  // these come first: they may redefine a built-in one
            if (functions_[f].name == wanted)
                return check_count(token, functions_[f].arguments, given) ? custom(static_cast<int>(f), arguments, token) : 0;
        for (auto const& f : named_functions) {
            if (f.name != wanted) continue;
            if (!check_count(token, f.arguments, given)) return 0;
            return make({f.op, arguments[0], given > 1 ? arguments[1] : -1, given > 2 ? arguments[2] : -1, f.exponent}, token);
        }
        return fail(Malformed::unknown_function, token), 0;
    }
    constexpr int custom(int function, std::vector<int> const& arguments, Token const& token) {
        int list = -1;
        for (auto i = arguments.size(); i-- > 0;) list = make({Op::argument, arguments[i], list}, token);
        bool const is_constant = functions_[static_cast<std::size_t>(function)].is_piecewise_constant;
        return make({Op::custom, list, function, -1, is_constant ? 1.0 : 0.0}, token);
    }
    constexpr bool check_count(Token const& token, int expected, int given) {
        if (expected == given) return true;
        fail(Malformed::wrong_number_of_arguments, token);
        parsed_.problem.expected = expected;
        parsed_.problem.given = given;
        return false;
    }

    constexpr int make(Node const& node, Token const& token) {
        if (!ok()) return 0;
        int const made = parsed_.tree.add(node);
        if (parsed_.tree.full()) fail(Malformed::too_large, token);
        return made;
    }
    constexpr void fail(Malformed kind, Token const& token) { fail(kind, token.begin, token.length); }
    constexpr void fail(Malformed kind, int begin, int length) {
        if (ok()) parsed_.problem = {kind, begin + 1, length};
    }
    constexpr bool ok() const { return parsed_.problem.kind == Malformed::no; }
    constexpr char at(int i) const { return text_[static_cast<std::size_t>(i)]; }
    constexpr std::string_view text(Token const& token) const {
        return text_.substr(static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.length));
    }

    std::string_view text_;
    std::span<CustomFunction const> functions_;
    std::vector<Definition> definitions_;
    Lexer lexer_{};
    Parsed parsed_;
    int depth_ = 0;
};

}  // namespace trotter::expression
