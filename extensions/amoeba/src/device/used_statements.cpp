// Leaves out statements whose results are not used.
// SPDX-License-Identifier: MIT
#include "device/used_statements.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

namespace trotter::amoeba {
namespace {

using Text = std::string_view;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The variable that a line defines or assigns, or empty.
Text result_of(Text line) {
    for (Text const type : {"const real ", "real "})
        if (line.starts_with(type)) line.remove_prefix(type.size());
    std::size_t const end = line.find(" = ");
    if (end == Text::npos || line.back() != ';') return {};
    Text const name = line.substr(0, end);
    bool const is_name = is_letter(name.front()) && is_digit(name.back())
                         && std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
    return is_name ? name : Text{};
}

void add_names(Text line, std::set<Text>& names) {
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at;
        while (end < line.size() && (is_letter(line[end]) || is_digit(line[end]))) ++end;
        if (end > at && is_letter(line[at])) names.insert(line.substr(at, end - at));
        at = std::max(end, at + 1);
    }
}

}  // namespace

std::string used_statements(std::string const& source) {
    std::vector<Text> lines;
    for (std::size_t at = 0; at < source.size();) {
        std::size_t const end = std::min(source.find('\n', at), source.size());
        if (end > at) lines.push_back(Text(source).substr(at, end - at));
        at = end + 1;
    }
    std::set<Text> names;
    std::vector<Text> kept;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (Text const result = result_of(*line); !result.empty() && !names.contains(result)) continue;
        add_names(*line, names);
        kept.push_back(*line);
    }
    std::string result;
    for (auto line = kept.rbegin(); line != kept.rend(); ++line) result.append(*line) += '\n';
    return result;
}

}  // namespace trotter::amoeba
