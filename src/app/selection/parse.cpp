// SPDX-License-Identifier: MIT
#include <algorithm>
#include <trotter/base/printable.hpp>
#include <trotter/io/number_text.hpp>

#include "app/selection/node.hpp"
#include "app/selection/tokens.hpp"

namespace trotter::app {
namespace {

using Node = Selection::Node;
constexpr int deepest = 200;
constexpr std::size_t longest = 100'000;  // letters of a selection

/// Reads an expression by recursive descent.
class Parser {
public:
    explicit Parser(std::string const& text) : text_(text), tokens_(tokens_of(text)) {}

    Node parse() {
        Node node = disjunction();
        if (here().kind != Token::Kind::end) refuse("expected and, or, or the end");
        return node;
    }

private:
    Token const& here() const { return tokens_[at_]; }

    [[noreturn]] void refuse(std::string const& expected) const {
        auto const& token = here();
        auto const found = token.kind == Token::Kind::end ? "the text ends" : "found " + in_quotes(token.text);
        refuse_selection(text_, token.column, found + ", " + expected);
    }

    bool is_word(std::string_view word) const {
        return here().kind == Token::Kind::word && in_lower_case(here().text) == word;
    }
    bool skip(std::string_view word) {
        if (!is_word(word)) return false;
        ++at_;
        return true;
    }
    void need(std::string_view word) {
        if (!skip(word)) refuse("expected " + std::string(word));
    }

    Node disjunction() {
        Node first = conjunction();
        if (!is_word("or")) return first;
        Node::Join join{true, {}};
        join.of.push_back(std::move(first));
        while (skip("or")) join.of.push_back(conjunction());
        return {std::move(join)};
    }

    Node conjunction() {
        Node first = term();
        if (!is_word("and")) return first;
        Node::Join join{false, {}};
        join.of.push_back(std::move(first));
        while (skip("and")) join.of.push_back(term());
        return {std::move(join)};
    }

    /// `not`, `within`, `same`, `byres` and `bonded` apply to the term behind them.
    Node term() {
        if (++depth_ > deepest) refuse_selection(text_, here().column, "more than 200 expressions inside one another");
        Node node = prefixed();
        --depth_;
        return node;
    }

    std::vector<Node> operand() {
        std::vector<Node> one;
        one.push_back(term());
        return one;
    }

    Node prefixed() {
        if (skip("not")) return {Node::Not{operand()}};
        bool const includes_reference = is_word("within");
        if (includes_reference || is_word("exwithin")) {
            ++at_;
            double const distance = length();
            need("of");
            return {Node::Near{distance, includes_reference, operand()}};
        }
        if (skip("byres")) return {Node::Same{Unit::residue, operand()}};
        if (skip("same")) {
            Unit const shared = unit();
            need("as");
            return {Node::Same{shared, operand()}};
        }
        if (skip("bonded")) {
            need("to");
            return {Node::Bonded{operand()}};
        }
        return primary();
    }

    double length() {
        auto const number = here().kind == Token::Kind::word ? parse_number(here().text) : std::nullopt;
        if (!number || *number < 0) refuse("expected a distance in nm");
        ++at_;
        return *number;
    }

    Unit unit() {
        if (skip("residue")) return Unit::residue;
        if (skip("chain")) return Unit::chain;
        if (skip("molecule")) return Unit::molecule;
        refuse("expected residue, chain or molecule");
    }

    Node primary() {
        if (here().kind == Token::Kind::open) {
            ++at_;
            Node node = disjunction();
            if (here().kind != Token::Kind::close) refuse("expected )");
            ++at_;
            return node;
        }
        if (skip("all")) return {Node::Constant{true}};
        if (skip("none")) return {Node::Constant{false}};
        if (here().kind == Token::Kind::word) {
            if (here().text[0] == '@' && here().text.size() > 1) return {Node::Group{tokens_[at_++].text.substr(1)}};
            if (auto const known = class_named(here().text)) {
                ++at_;
                return {*known};
            }
            if (auto const field = field_named(here().text)) {
                ++at_;
                return here().kind == Token::Kind::comparison ? comparison(*field) : match(*field);
            }
        }
        refuse("expected a class of atoms (" + names_of_classes() +
               "), a field with values (name CA, resname LIG, resid 1:20, chain A, element N, index 0:99 …), @GROUP, all, "
               "none, not, within, same, byres, bonded or a parenthesis");
    }

    Node comparison(Field field) {
        auto const sign = here().text;
        bool const is_ordering = sign[0] == '<' || sign[0] == '>';
        if (!is_ordering && sign != "==" && sign != "!=") refuse("expected ==, !=, <, <=, > or >=");
        if (is_ordering && !is_number(field))
            refuse("but " + std::string(name_of(field)) + " is no number: only == and != compare it");
        ++at_;
        if (is_ordering) {
            auto const number = here().kind == Token::Kind::word ? parse_number(here().text) : std::nullopt;
            if (!number) refuse("expected a number");
            ++at_;
            return {Node::Compare{field, sign, *number}};
        }
        if (!is_value()) refuse("expected a value of " + std::string(name_of(field)));
        Node equal{Node::Match{field, {value(field)}}};
        if (sign == "==") return equal;
        std::vector<Node> one;
        one.push_back(std::move(equal));
        return {Node::Not{std::move(one)}};
    }

    bool is_value() const {
        return here().kind == Token::Kind::quoted
               || (here().kind == Token::Kind::word && !is_word("and") && !is_word("or"));
    }

    Node match(Field field) {
        Node::Match match{field, {}};
        while (is_value()) match.values.push_back(value(field));
        if (match.values.empty()) refuse("expected a value of " + std::string(name_of(field)));
        return {std::move(match)};
    }

    Node::Value value(Field field) {
        auto const& token = here();
        Node::Value made{token.text, token.kind == Token::Kind::quoted, {}};
        if (is_number(field) && !made.is_quoted) {
            if (is_word("to")) refuse("expected a number before 'to'");
            made.range = range();
            // A range of one number is that number.
            if (made.range && made.range->first == made.range->second) made.text.resize(std::min(made.text.find(':'), made.text.size()));
        }
        if (is_number(field) && !made.range && field != Field::resid)
            refuse("expected a number or a range such as 1:20");
        if (made.range && made.range->first > made.range->second) refuse("but the range ends before it begins");
        ++at_;
        return made;
    }

    /// `n`, `n:m` or `n to m`, of which the last token is not skipped.
    std::optional<std::pair<double, double>> range() {
        auto const& token = here().text;
        auto const colon = token.find(':');
        auto const first = parse_number(token.substr(0, colon));
        if (!first) return {};
        if (colon != token.npos) {
            auto const last = parse_number(token.substr(colon + 1));
            return last ? std::optional(std::pair(*first, *last)) : std::nullopt;
        }
        auto const& next = tokens_[at_ + 1];
        if (next.kind != Token::Kind::word || in_lower_case(next.text) != "to") return std::pair(*first, *first);
        at_ += 2;
        auto const last = parse_number(here().text);
        if (!last) refuse("expected the last number of a range");
        return std::pair(*first, *last);
    }

    std::string const& text_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

Node parse_selection(std::string const& text) {
    if (text.size() > longest) refuse_selection(text, longest + 1, "the text has more than 100000 letters");
    return Parser(text).parse();
}

}  // namespace trotter::app
