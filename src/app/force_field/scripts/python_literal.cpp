// SPDX-License-Identifier: MIT
#include "python_literal.hpp"

#include <trotter/io/number_text.hpp>

namespace trotter::app::force_field {
namespace {

constexpr int most_depth = 16;
constexpr std::string_view white_space = " \t\r\n", end_of_word = " \t\r\n,:()[]{}#";

using Kind = PythonLiteral::Kind;

class Reader {
public:
    Reader(std::string_view source, std::size_t position) : source_(source), position_(position) {}

    std::size_t position() const { return position_; }

    std::optional<PythonLiteral> value(int depth = 0) {
        skip_white_space();
        if (position_ >= source_.size() || depth > most_depth) return {};
        switch (source_[position_]) {
            case '(': return items(')', depth, Kind::sequence);
            case '[': return items(']', depth, Kind::sequence);
            case '{': return items('}', depth, Kind::dictionary);
            case '\'':
            case '"': return text();
            default: return word(depth);
        }
    }

private:
    void skip_white_space() {
        position_ = std::min(source_.find_first_not_of(white_space, position_), source_.size());
    }
    bool take(char c) {
        skip_white_space();
        if (position_ >= source_.size() || source_[position_] != c) return false;
        ++position_;
        return true;
    }

    // The items up to a closing bracket. One item in parentheses without a comma is the item itself.
    std::optional<PythonLiteral> items(char closing, int depth, Kind kind) {
        ++position_;
        PythonLiteral result{kind, 0, {}, {}};
        bool has_comma = false;
        while (!take(closing)) {
            if (!result.items.empty() && !(has_comma = take(','))) return {};
            if (take(closing)) break;
            auto item = value(depth + 1);
            if (!item) return {};
            result.items.push_back(std::move(*item));
            if (kind != Kind::dictionary) continue;
            auto mapped = take(':') ? value(depth + 1) : std::nullopt;
            if (!mapped) return {};
            result.items.push_back(std::move(*mapped));
        }
        if (closing == ')' && result.items.size() == 1 && !has_comma) return PythonLiteral(result.items[0]);
        return result;
    }
    std::optional<PythonLiteral> text() {
        auto const end = source_.find(source_[position_], position_ + 1);
        if (end == std::string_view::npos) return {};
        auto const content = source_.substr(position_ + 1, end - position_ - 1);
        if (content.find_first_of("\\\n") != std::string_view::npos) return {};
        position_ = end + 1;
        return PythonLiteral{Kind::text, 0, std::string(content), {}};
    }
    std::optional<PythonLiteral> word(int depth) {
        auto const end = std::min(source_.find_first_of(end_of_word, position_), source_.size());
        auto const found = source_.substr(position_, end - position_);
        position_ = end;
        if (found == "None") return PythonLiteral{};
        if (found == "set" && end < source_.size() && source_[end] == '(') return value(depth + 1);
        if (auto const number = parse_number(found)) return PythonLiteral{Kind::number, *number, {}, {}};
        return {};
    }

    std::string_view source_;
    std::size_t position_;
};

}  // namespace

std::optional<PythonLiteral> read_python_literal(std::string_view source, std::size_t& position) {
    Reader reader(source, position);
    auto result = reader.value();
    if (result) position = reader.position();
    return result;
}

}  // namespace trotter::app::force_field
