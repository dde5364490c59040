// SPDX-License-Identifier: MIT
#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <trotter/error.hpp>

namespace trotter::app {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

std::string_view without_plus(std::string_view text) {
    return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

template <class T> bool parse_all(std::string_view text, T& value) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

void refuse(Location location, std::string_view what) {
    throw InputError(location.line > 0 ? fmt::format("{}, line {}: {}", location.path, location.line, what)
                                       : fmt::format("{}: {}", location.path, what));
}

std::string_view stripped(std::string_view text) {
    auto const first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> result;
    for (auto first = text.find_first_not_of(blanks); first != text.npos;) {
        auto const end = std::min(text.find_first_of(blanks, first), text.size());
        result.push_back(text.substr(first, end - first));
        first = text.find_first_not_of(blanks, end);
    }
    return result;
}

std::vector<std::string_view> lines(std::string_view text) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        result.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string_view columns(std::string_view line, std::size_t first, std::size_t width) {
    return first >= line.size() ? std::string_view{} : line.substr(first, width);
}

std::string upper_case(std::string_view text) {
    std::string result{text};
    for (char& c : result)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return result;
}

std::string in_quotes(std::string_view text) {
    std::string result{'"'};
    for (char const c : text.substr(0, 40)) result += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
    return result + (text.size() > 40 ? "...\"" : "\"");
}

bool parse(std::string_view text, double& value) {
    text = without_plus(stripped(text));
    if (parse_all(text, value)) return true;
    auto const exponent = text.find_first_of("dD");
    if (exponent == text.npos || text.size() > 60) return false;
    std::string other{text};
    other[exponent] = 'e';
    return parse_all(std::string_view{other}, value);
}
bool parse(std::string_view text, int& value) { return parse_all(without_plus(stripped(text)), value); }

double to_real(std::string_view text, Location location, std::string_view what) {
    double value = 0;
    if (!parse(text, value) || !std::isfinite(value))
        refuse(location, fmt::format("{} is {}, but must be a number", what, in_quotes(text)));
    return value;
}
int to_integer(std::string_view text, Location location, std::string_view what) {
    int value = 0;
    if (!parse(text, value)) refuse(location, fmt::format("{} is {}, but must be an integer", what, in_quotes(text)));
    return value;
}

}  // namespace trotter::app
