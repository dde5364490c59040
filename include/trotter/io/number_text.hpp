// Numbers to text and back, exactly.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trotter {

/// Which values besides finite ones a number may have.
enum class Allow { Finite, Infinite, Any };

/// The number that the whole text stands for. Accepts what OpenMM writes (`.002`, `-0`, `1e-308`, `Infinity`, `NaN`)
/// and what C++ writes (`inf`, `nan`), with spaces around and a plus before it; nothing else beside the number, and
/// nothing too large for a double.
std::optional<double> parse_number(std::string_view text, Allow allow = Allow::Finite);

/// The decimal integer that the whole text stands for; spaces and plus as above.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// The shortest text that reads back as the same bits, as JSON wants it (`0.002`); `inf`, `-inf` and `nan` besides.
std::string format_number(double value);

/// The shortest text that reads back as the same bits, character for character what OpenMM writes (`.002`, `Infinity`).
std::string format_xml_number(double value);

}  // namespace trotter
