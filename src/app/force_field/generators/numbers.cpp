// SPDX-License-Identifier: MIT
#include "numbers.hpp"

#include <sstream>

namespace trotter::app::force_field {

std::vector<double> read_numbers(XmlNode const& node) {
    std::vector<double> result;
    std::istringstream words(node.content());
    for (std::string word; words >> word;) {
        auto const number = parse_number(word);
        if (!number) node.fail("contains \"" + word.substr(0, 40) + "\", expected a number");
        result.push_back(*number);
    }
    return result;
}

std::optional<bool> read_flag(XmlNode const& node, std::string_view attribute) {
    if (!node.has(attribute)) return {};
    auto const text = node.text(attribute);
    if (text == "True" || text == "true" || text == "1") return true;
    if (text == "False" || text == "false" || text == "0") return false;
    node.refuse(attribute, "True or False");
}

}  // namespace trotter::app::force_field
