// Numbers and flags in elements of force fields.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include <trotter/io/xml.hpp>

namespace trotter::app::force_field {

/// The numbers between an element's tags, separated by white space.
std::vector<double> read_numbers(XmlNode const& node);

/// A flag as Python writes it, `True` or `False`, or 1 or 0; nothing if the attribute is missing.
std::optional<bool> read_flag(XmlNode const& node, std::string_view attribute);

}  // namespace trotter::app::force_field
