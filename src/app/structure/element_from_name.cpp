// SPDX-License-Identifier: MIT
#include "element_from_name.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace trotter::app {

std::optional<Element> element_from_name(std::string_view name, std::string_view residue_name, bool is_alone) {
    while (name.size() > 1 && std::isdigit(static_cast<unsigned char>(name.front()))) name.remove_prefix(1);
    std::string upper(name);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    for (std::string_view const symbol : {"CL", "NA", "MG", "BE", "LI", "K", "ZN"})
        if (upper.starts_with(symbol)) return Element::from_symbol(symbol);
    if (is_alone && upper.starts_with("CA")) return Element::from_symbol("Ca");
    if (is_alone && upper.size() == 2 && residue_name.starts_with(name))
        if (auto const element = Element::from_symbol(upper)) return element;
    return Element::from_symbol(upper.substr(0, 1));
}

}  // namespace trotter::app
