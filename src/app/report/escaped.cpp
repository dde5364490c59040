// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <trotter/app/report/plot.hpp>
#include <trotter/base/printable.hpp>

namespace trotter::app {

std::string escaped(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        auto const [code, size] = first_character(text);
        if (code == Character::none || (is_control(code) && code != '\n' && code != '\t')) {
            result += "\xef\xbf\xbd";
        } else if (code == '&') {
            result += "&amp;";
        } else if (code == '<') {
            result += "&lt;";
        } else if (code == '>') {
            result += "&gt;";
        } else if (code == '"') {
            result += "&quot;";
        } else if (code == '\'') {
            result += "&#39;";
        } else {
            result += text.substr(0, size);
        }
        text.remove_prefix(size);
    }
    return result;
}

std::string short_number(double value) {
    if (!std::isfinite(value)) return "–";
    double const size = std::abs(value);
    std::string text = size >= 1e3 && size < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
    if (text.starts_with('-')) text.replace(0, 1, "−");
    return text;
}

}  // namespace trotter::app
