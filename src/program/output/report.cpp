// Writes JSON with 17 significant digits.
// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

namespace trotter::program {
namespace {

void append_number(std::string& text, double value) {
    if (std::isfinite(value))
        fmt::format_to(std::back_inserter(text), "{:.17g}", value);
    else
        text += "null";
}

}  // namespace

Report& Report::add_text(std::string_view key, std::string json) {
    members_.push_back(json_string(key) + ": " + std::move(json));
    return *this;
}

Report& Report::add(std::string_view key, double value) {
    std::string text;
    append_number(text, value);
    return add_text(key, std::move(text));
}

Report& Report::add(std::string_view key, bool value) { return add_text(key, value ? "true" : "false"); }
Report& Report::add(std::string_view key, std::string_view text) { return add_text(key, json_string(text)); }
Report& Report::add(std::string_view key, Report const& object) { return add_text(key, object.line()); }

Report& Report::add(std::string_view key, std::span<Vec3<double> const> vectors) {
    std::string text = "[";
    for (auto const& v : vectors) {
        text += text.size() > 1 ? ",\n[" : "[";
        append_number(text, v.x);
        append_number(text += ',', v.y);
        append_number(text += ',', v.z);
        text += ']';
    }
    return add_text(key, std::move(text += ']'));
}

Report& Report::add(std::string_view key, std::vector<int> const& numbers) {
    return add_text(key, fmt::format("[{}]", fmt::join(numbers, ", ")));
}

Report& Report::add(std::string_view key, std::vector<std::string> const& texts) {
    std::string text = "[";
    for (auto const& item : texts) text += (text.size() > 1 ? ", " : "") + json_string(item);
    return add_text(key, text + ']');
}

Report& Report::add(std::string_view key, std::map<std::string, double> const& values) {
    Report object;
    for (auto const& [name, value] : values) object.add(name, value);
    return add(key, object);
}

Report& Report::add(std::string_view key, std::vector<Report> const& objects) {
    std::string text = "[";
    for (auto const& object : objects) (text += text.size() > 1 ? ",\n    " : "\n    ") += object.line();
    return add_text(key, text + (objects.empty() ? "]" : "\n  ]"));
}

std::string Report::text() const {
    std::string text = "{";
    for (auto const& member : members_) (text += text.size() > 1 ? ",\n  " : "\n  ") += member;
    return text + "\n}";
}

std::string Report::line() const {
    std::string text = "{";
    for (auto const& member : members_) (text += text.size() > 1 ? ", " : " ") += member;
    return text + (members_.empty() ? "}" : " }");
}

void Report::write(std::string const& path) const {
    if (path.empty() || path == "-")
        print(text() + '\n');
    else
        write_file(path, text() + '\n');
}

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw OutputError(std::string("standard output cannot be written: ") + std::strerror(errno));
}

}  // namespace trotter::program
