// Converts numbers to text and back, exactly.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trotter {

/// Non-finite values that are accepted.
enum class Allow { Finite, Infinite, Any };

/// Parses the whole text as a number. Accepts the formats of OpenMM (`.002`, `-0`, `1e-308`, `Infinity`, `NaN`) and C++
/// (`inf`, `nan`), with surrounding spaces and a leading plus; rejects other characters and values too large for a
/// double.
std::optional<double> parse_number(std::string_view text, Allow allow = Allow::Finite);

/// Parses the whole text as a decimal integer; spaces and plus as above.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Returns the shortest text that reads back as the same bits, in JSON format (`0.002`), or `inf`, `-inf` or `nan`.
std::string format_number(double value);

/// Returns the shortest text that reads back as the same bits, identical to OpenMM's output (`.002`, `Infinity`).
std::string format_xml_number(double value);

}  // namespace trotter
