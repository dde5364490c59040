// Literals of Python, as scripts of force fields hold their tables.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app::force_field {

/// A value without names, calls or operators.
struct PythonLiteral {
    enum class Kind { none, number, text, sequence, dictionary };
    Kind kind = Kind::none;
    double number = 0;
    std::string text;
    std::vector<PythonLiteral> items;  ///< of a list, tuple or set; of a dictionary keys and values in turn
};

/// Reads the literal at a position, which moves behind it: numbers, texts, None, lists, tuples, dictionaries, and
/// `set(…)`. Nothing if there is something else.
std::optional<PythonLiteral> read_python_literal(std::string_view source, std::size_t& position);

}  // namespace trotter::app::force_field
