// Numbers that users name: an attribute each, or where XML has no attribute of that name an element.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>

#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

#include "xml_characters.hpp"

namespace trotter::detail {

/// `<Parameter name="k[1]" value="2"/>`; OpenMM, which writes `k[1]="2"` as an attribute and so no XML, passes it over.
inline constexpr std::string_view parameter_element = "Parameter";

struct NamedNumber {
    std::string name;
    double value = 0;
};
inline NamedNumber read_parameter_element(XmlNode const& node, Allow allow) {
    node.only({"name", "value"});
    return {std::string(node.text("name")), node.number("value", allow)};
}

/// To be called right after the element that holds them was opened.
inline void write_named_numbers(XmlWriter& xml, std::map<std::string, double> const& numbers) {
    for (auto const& [name, value] : numbers)
        if (is_xml_name(name)) xml.attribute(name, value);
    for (auto const& [name, value] : numbers)
        if (!is_xml_name(name))
            xml.open(parameter_element).attribute("name", name).attribute("value", value).close();
}

}  // namespace trotter::detail
