// SPDX-License-Identifier: MIT
#include "star_file.hpp"

#include <algorithm>
#include <cctype>

#include <trotter/error.hpp>

namespace trotter::app {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

[[noreturn]] void fail_at(std::string const& path, std::string_view text, char const* place, std::string const& what) {
    auto const line = 1 + std::count(text.data(), place, '\n');
    throw InputError(path + ", line " + std::to_string(line) + ": " + what);
}

/// A part of a message: the beginning of a text.
std::string shown(std::string_view text) {
    constexpr std::size_t longest = 40;
    return '"' + std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "") + '"';
}

enum class TokenKind { end, name, value, data, save, loop, other_reserved };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
};

/// Splits a file into words, quoted texts and text blocks.
class StarTokens {
public:
    StarTokens(std::string const& path, std::string_view text) : path_(path), text_(text) {}

    Token next() {
        skip_blanks_and_comments();
        if (at_ == text_.size()) return {TokenKind::end, text_.substr(at_)};
        char const first = text_[at_];
        if (first == ';' && (at_ == 0 || text_[at_ - 1] == '\n')) return {TokenKind::value, text_block()};
        if (first == '\'' || first == '"') return {TokenKind::value, quoted(first)};
        auto const word = unquoted();
        return {kind_of(word), word};
    }

    [[noreturn]] void fail(Token const& token, std::string const& what) const {
        fail_at(path_, text_, token.text.data(), what);
    }

private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

    void skip_blanks_and_comments() {
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '#')
                at_ = std::min(text_.find('\n', at_), text_.size() - 1);
            else if (!is_blank(text_[at_]))
                return;
        }
    }

    /// Lines up to one that begins with a semicolon.
    std::string_view text_block() {
        auto const start = at_ + 1, end = text_.find("\n;", at_);
        if (end == text_.npos)
            fail_at(path_, text_, text_.data() + at_,
                    "a text block that begins with ; has no end, expected a line that begins with ;");
        at_ = end + 2;
        auto block = end < start ? std::string_view{} : text_.substr(start, end - start);
        if (block.ends_with('\r')) block.remove_suffix(1);
        return block;
    }

    /// The end is a quote with a blank behind it.
    std::string_view quoted(char quote) {
        auto const start = at_ + 1, line_end = std::min(text_.find('\n', at_), text_.size());
        for (auto end = start; end < line_end; ++end)
            if (text_[end] == quote && (end + 1 == text_.size() || is_blank(text_[end + 1]))) {
                at_ = end + 1;
                return text_.substr(start, end - start);
            }
        fail_at(path_, text_, text_.data() + at_,
                shown(text_.substr(at_, line_end - at_))
                    + " begins with a quote, expected another at its end in the same line");
    }

    std::string_view unquoted() {
        auto const start = at_;
        while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }

    static TokenKind kind_of(std::string_view word) {
        if (word.front() == '_') return TokenKind::name;
        auto const reserved = lower(word.substr(0, 7));
        if (reserved.starts_with("data_")) return TokenKind::data;
        if (reserved.starts_with("save_")) return TokenKind::save;
        if (reserved == "loop_") return TokenKind::loop;
        if (reserved == "stop_" || reserved == "global_") return TokenKind::other_reserved;
        return TokenKind::value;
    }

    std::string const& path_;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

/// Fills the tables of a file.
class StarParser {
public:
    using Tables = std::map<std::string, StarTable, std::less<>>;
    StarParser(std::string const& path, std::string_view text, std::vector<std::string_view> const& wanted,
               Tables& tables)
        : tokens_(path, text), wanted_(wanted), tables_(tables) {}

    void parse() {
        if (take().kind != TokenKind::data)
            tokens_.fail(token_, shown(token_.text) + ", expected a word that begins with data_");
        for (take(); token_.kind != TokenKind::end && token_.kind != TokenKind::data;) {
            switch (token_.kind) {
                case TokenKind::name:
                    item();
                    break;
                case TokenKind::loop:
                    loop();
                    break;
                case TokenKind::save:
                    save_frame();
                    break;
                default:
                    tokens_.fail(token_, shown(token_.text) + ", expected a name that begins with _, or loop_");
            }
        }
    }

private:
    struct Name {
        std::string category, column;
    };

    Token const& take() { return token_ = tokens_.next(); }

    Name name() const {
        auto const dot = token_.text.find('.');
        if (dot == token_.text.npos) return {lower(token_.text), ""};  // of other dictionaries than mmCIF
        return {lower(token_.text.substr(1, dot - 1)), lower(token_.text.substr(dot + 1))};
    }

    /// The table of a category to be kept; null for others.
    StarTable* table(std::string const& category) {
        if (std::find(wanted_.begin(), wanted_.end(), category) == wanted_.end()) return nullptr;
        return &tables_[category];
    }

    void add_column(StarTable& table, Name const& name) const {
        constexpr std::size_t most_columns = 1000;
        if (table.columns_.size() == most_columns)
            tokens_.fail(token_, "_" + name.category + " has more than " + std::to_string(most_columns) + " columns");
        if (table.column(name.column))
            tokens_.fail(token_, "_" + name.category + "." + name.column + " is there twice");
        table.columns_.push_back(name.column);
    }

    /// A name with its value; those of a category together make a table of one row.
    void item() {
        auto const named = name();
        auto* kept = table(named.category);
        if (kept != nullptr) {
            if (kept->values_.size() != kept->columns_.size())
                tokens_.fail(token_, shown(token_.text) + " is also in a loop, expected the category once");
            add_column(*kept, named);
        }
        auto const full = token_.text;
        if (take().kind != TokenKind::value) tokens_.fail(token_, std::string(full) + " has no value");
        if (kept != nullptr) kept->values_.push_back(token_.text);
        take();
    }

    void loop() {
        if (take().kind != TokenKind::name)
            tokens_.fail(token_, shown(token_.text) + " follows loop_, expected a name that begins with _");
        auto const category = name().category;
        auto* kept = table(category);
        if (kept != nullptr && !kept->columns_.empty())
            tokens_.fail(token_, "the category _" + category + " is there twice");
        std::size_t columns = 0;
        for (; token_.kind == TokenKind::name; take(), ++columns) {
            if (kept == nullptr) continue;
            auto const named = name();
            if (named.category != category)
                tokens_.fail(token_, shown(token_.text) + " in a loop of _" + category + ", expected one category");
            add_column(*kept, named);
        }
        std::size_t values = 0;
        for (; token_.kind == TokenKind::value; take(), ++values)
            if (kept != nullptr) kept->values_.push_back(token_.text);
        if (values % columns != 0)
            tokens_.fail(token_, "the loop of _" + category + " ends with " + std::to_string(values)
                                     + " values, expected a multiple of its " + std::to_string(columns) + " columns");
    }

    /// Definitions of dictionaries.
    void save_frame() {
        constexpr std::size_t end_mark = 5;  // save_
        for (take(); token_.kind != TokenKind::save || token_.text.size() > end_mark; take())
            if (token_.kind == TokenKind::end) tokens_.fail(token_, "a save frame has no end, expected save_");
        take();
    }

    StarTokens tokens_;
    std::vector<std::string_view> const& wanted_;
    Tables& tables_;
    Token token_;
};

std::optional<std::size_t> StarTable::column(std::string_view name) const {
    auto const found = std::find(columns_.begin(), columns_.end(), name);
    if (found == columns_.end()) return {};
    return static_cast<std::size_t>(found - columns_.begin());
}

StarFile::StarFile(std::string const& path, std::string_view text, std::vector<std::string_view> const& categories)
    : path_(path), text_(text) {
    StarParser(path, text, categories, tables_).parse();
}

StarTable const* StarFile::find(std::string_view category) const {
    auto const found = tables_.find(category);
    return found == tables_.end() || found->second.row_count() == 0 ? nullptr : &found->second;
}

void StarFile::fail(std::string_view value, std::string const& what) const {
    fail_at(path_, text_, value.data(), what);
}

}  // namespace trotter::app
