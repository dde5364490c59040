// Writes results as JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter::program {

/// A JSON object with members in insertion order. Numbers have 17 significant digits; non-finite ones become null, as
/// JSON requires.
class Report {
public:
    Report& add(std::string_view key, double value);
    template <std::integral T>
    requires(!std::same_as<T, bool>) Report& add(std::string_view key, T value) {
        return add_text(key, std::to_string(value));
    }
    Report& add(std::string_view key, bool value);
    Report& add(std::string_view key, std::string_view text);
    Report& add(std::string_view key, char const* text) { return add(key, std::string_view{text}); }
    Report& add(std::string_view key, std::span<Vec3<double> const> vectors);
    Report& add(std::string_view key, std::vector<int> const& numbers);
    Report& add(std::string_view key, std::vector<std::string> const& texts);
    Report& add(std::string_view key, std::map<std::string, double> const& values);
    Report& add(std::string_view key, Report const& object);
    Report& add(std::string_view key, std::vector<Report> const& objects);

    /// The object with one member per line, without a final line break.
    std::string text() const;
    /// The object on one line.
    std::string line() const;

    /// Writes to the file, or to standard output if `path` is empty or `-`. Throws OutputError.
    void write(std::string const& path) const;

private:
    Report& add_text(std::string_view key, std::string json);

    std::vector<std::string> members_;
};

/// Writes to standard output and flushes it. Throws OutputError.
void print(std::string_view text);

}  // namespace trotter::program
