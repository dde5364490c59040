// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/log_table.hpp>

#include <limits>
#include <string_view>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>
#include <utility>

namespace trotter::app {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;
constexpr std::string_view stage_title = "Stage";

/// Fields of a line, without quotation marks; a comma inside of them separates nothing.
std::vector<std::string_view> fields(std::string_view line) {
    std::vector<std::string_view> result;
    bool is_quoted = false;
    std::size_t begin = 0;
    for (std::size_t n = 0; n <= line.size(); ++n) {
        if (n < line.size() && line[n] == '"') is_quoted = !is_quoted;
        if (n < line.size() && (line[n] != ',' || is_quoted)) continue;
        auto field = line.substr(begin, n - begin);
        if (field.size() > 1 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
        result.push_back(field);
        begin = n + 1;
    }
    return result;
}

/// Takes the next line, without its end; whether it has one goes to `is_whole`.
std::string_view next_line(std::string_view& text, bool& is_whole) {
    auto const end = text.find('\n');
    is_whole = end != text.npos;
    auto line = text.substr(0, end);
    text.remove_prefix(is_whole ? end + 1 : text.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

double number_of(std::string_view field) {
    if (field.ends_with('%')) field.remove_suffix(1);
    return parse_number(field, Allow::Any).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::vector<double> const& LogTable::column(std::string const& title) const {
    static std::vector<double> const none;
    auto const found = columns.find(title);
    return found == columns.end() ? none : found->second;
}

LogTable read_log(std::string const& path) {
    auto const text = read_file(path, most_bytes, FileKind::regular);
    std::string_view rest = text;
    bool is_whole = false;
    auto head = next_line(rest, is_whole);
    if (head.starts_with('#')) head.remove_prefix(1);
    auto const titles = fields(head);
    LogTable table;
    std::vector<std::vector<double>*> columns;  // none for that of stages and for repeated titles
    for (auto const title : titles)
        columns.push_back(title == stage_title || table.columns.contains(std::string(title))
                              ? nullptr
                              : &table.columns[std::string(title)]);
    if (!is_whole || !table.columns.contains(log_titles::time))
        throw InputError(path + ", line 1: has no column \"" + log_titles::time + "\", expected the titles of a log");
    while (!rest.empty()) {
        auto const line = fields(next_line(rest, is_whole));
        if (!is_whole || line.size() != titles.size()) {
            table.is_cut = true;
            continue;
        }
        for (std::size_t n = 0; n < line.size(); ++n) {
            if (titles[n] == stage_title && table.stages.size() == table.rows) table.stages.emplace_back(line[n]);
            if (columns[n] != nullptr) columns[n]->push_back(number_of(line[n]));
        }
        ++table.rows;
    }
    return table;
}

}  // namespace trotter::app
