// Numbers with user-defined names: attributes, or elements if the name is not valid for an attribute.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>

#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

#include "xml_characters.hpp"

namespace trotter::detail {

/// `<Parameter name="k[1]" value="2"/>`; ignored by OpenMM, which writes the invalid attribute `k[1]="2"`.
inline constexpr std::string_view parameter_element = "Parameter";

struct NamedNumber {
    std::string name;
    double value = 0;
};
inline NamedNumber read_parameter_element(XmlNode const& node, Allow allow) {
    node.only({"name", "value"});
    return {std::string(node.text("name")), node.number("value", allow)};
}

/// Writes numbers; call right after opening their element.
inline void write_named_numbers(XmlWriter& xml, std::map<std::string, double> const& numbers) {
    for (auto const& [name, value] : numbers)
        if (is_xml_name(name)) xml.attribute(name, value);
    for (auto const& [name, value] : numbers)
        if (!is_xml_name(name))
            xml.open(parameter_element).attribute("name", name).attribute("value", value).close();
}

}  // namespace trotter::detail
