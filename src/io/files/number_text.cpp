// Formats numbers exactly with <charconv>, in the layouts of C++ and OpenMM.
// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include <trotter/io/number_text.hpp>

namespace trotter {
namespace {

template <class... Format> std::string shortest(double value, Format... format) {
    std::array<char, 32> text{};
    auto const result = std::to_chars(text.data(), text.data() + text.size(), value, format...);
    return {text.data(), result.ptr};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a number outside the range of double underflows (instead of overflowing).
bool is_tiny(std::string_view text) {
    return text.size() < 64 && (text.find("e-") != text.npos || text.find("E-") != text.npos);
}

/// Strips surrounding spaces, and a plus before a digit or point.
std::string_view bare(std::string_view text) {
    constexpr std::string_view spaces = " \t\r\n";
    auto const first = text.find_first_not_of(spaces);
    if (first == text.npos) return {};
    text = text.substr(first, text.find_last_not_of(spaces) + 1 - first);
    if (text.size() > 1 && text[0] == '+' && (is_digit(text[1]) || text[1] == '.')) text.remove_prefix(1);
    return text;
}

}  // namespace

std::optional<double> parse_number(std::string_view text, Allow allow) {
    text = bare(text);
    double value = 0;
    auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return {};
    if (status == std::errc::result_out_of_range && is_tiny(text)) return text.front() == '-' ? -0.0 : 0.0;
    if (status != std::errc{}) return {};
    bool const in_digits = is_digit(text.back()) || text.back() == '.';
    if (std::isnan(value) && (allow != Allow::Any || text.back() == ')')) return {};
    if (std::isinf(value) && (allow == Allow::Finite || in_digits)) return {};
    return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    text = bare(text);
    std::int64_t value = 0;
    auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

std::string format_number(double value) {
    return std::isnan(value) ? "nan" : shortest(value);
}

std::string format_xml_number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    if (value == 0) return std::signbit(value) ? "-0" : "0";

    // Layout of D. M. Gay's g_fmt: `point` digits before the point; exponent form if it saves more than five zeros.
    auto const scientific = shortest(value, std::chars_format::scientific);
    auto const mark = scientific.find('e');
    auto const sign = value < 0 ? std::string{"-"} : std::string{};
    std::string digits{scientific[sign.size()]};
    if (mark > sign.size() + 1) digits += scientific.substr(sign.size() + 2, mark - sign.size() - 2);
    int const point = std::stoi(scientific.substr(mark + 1)) + 1;
    int const count = static_cast<int>(digits.size());

    if (point <= -4 || point > count + 5) return scientific;
    if (point <= 0) return sign + "." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    if (point >= count) return sign + digits + std::string(static_cast<std::size_t>(point - count), '0');
    return sign + digits.insert(static_cast<std::size_t>(point), 1, '.');
}

}  // namespace trotter
