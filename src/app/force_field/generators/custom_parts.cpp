// SPDX-License-Identifier: MIT
#include "custom_parts.hpp"

#include <array>

#include "numbers.hpp"

namespace trotter::app::force_field {

std::vector<GlobalParameter> read_global_parameters(XmlNode const& node) {
    std::vector<GlobalParameter> result;
    for (auto const parameter : node.children("GlobalParameter"))
        result.push_back({std::string(parameter.text("name")), parameter.number("defaultValue")});
    return result;
}

std::vector<std::string> read_names(XmlNode const& node, std::string_view element) {
    std::vector<std::string> result;
    for (auto const child : node.children(element)) result.emplace_back(child.text("name"));
    return result;
}

std::vector<double> read_values(XmlNode const& node, std::vector<std::string> const& names) {
    std::vector<double> result;
    for (auto const& name : names) result.push_back(node.number(name));
    return result;
}

namespace {

bool read_periodic(XmlNode const& node) {
    auto const text = node.text_or("periodic", "false");
    for (auto const* word : {"true", "True", "yes", "Yes", "1"})
        if (text == word) return true;
    for (auto const* word : {"false", "False", "no", "No", "0"})
        if (text == word) return false;
    node.refuse("periodic", "true or false");
}

TabulatedFunction read_function(XmlNode const& node) {
    static constexpr std::array<std::string_view, 6> types{"Continuous1D", "Continuous2D", "Continuous3D",
                                                           "Discrete1D",   "Discrete2D",   "Discrete3D"};
    auto const type = node.text_or("type", types[0]);
    std::size_t kind = 0;
    while (kind < types.size() && types[kind] != type) ++kind;
    if (kind == types.size()) node.refuse("type", "Continuous or Discrete, with 1D, 2D or 3D behind it");
    std::size_t const dimensions = kind % 3 + 1;
    TabulatedFunction result{std::string(node.text("name")), {}, {}, false, read_numbers(node)};
    for (std::size_t i = 0; i < dimensions; ++i) {
        auto const axis = dimensions == 1 ? std::string() : std::string(1, "xyz"[i]);
        result.sizes.push_back(dimensions == 1 ? static_cast<int>(result.values.size())
                                               : node.integer<int>(axis + "size", 1));
        if (kind < 3) result.ranges.push_back({node.number(axis + "min"), node.number(axis + "max")});
    }
    result.periodic = kind < 3 && read_periodic(node);
    try {
        result.check();
    } catch (InputError const& error) {
        node.fail(error.what());
    }
    return result;
}

}  // namespace

std::vector<TabulatedFunction> read_functions(XmlNode const& node) {
    std::vector<TabulatedFunction> result;
    for (auto const function : node.children("Function")) result.push_back(read_function(function));
    return result;
}

}  // namespace trotter::app::force_field
